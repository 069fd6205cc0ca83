import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Routes } from '../support/rooms/http.js';
import { parseJson } from '../../src/platform/json/parse-json.js';
import { addressesIn } from '../../tools/openapi/addresses.js';
import { openApiDocument } from '../../tools/openapi/openapi-document.js';
import { dtosOf, type DtoClass } from '../../tools/openapi/dto-metadata.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { sqlite } from '../support/engines.js';
import { judged } from '../support/http/judged.js';
import { HivesModule } from '../support/modules/hives-module.js';
import { PostersModule } from '../support/modules/posters-module.js';
import { FIELDS, RulesModule } from '../support/modules/rules-module.js';
import { ToysModule } from '../support/modules/toys-module.js';
import { VisitsModule } from '../support/modules/visits-module.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { unlessTaken } from '../support/samples.js';
import { DOCUMENTED } from '../support/module-facts.js';
import { type Service, startService } from '../support/service.js';
import { type Document, type Schema, Values } from './arbitraries.js';
import { faultsOf, fittingOf } from './bodies.js';
import { type Fits, judgeOf } from './judge.js';

const MODULES = unlessTaken(
  AppointmentsModule,
  HivesModule,
  PostersModule,
  RulesModule,
  ToysModule,
  VisitsModule,
);

/** Fields that accept more than the document says: `@Type` or `@Transform` converts the value, or no rule checks its type. */
const LENIENT = new Set([
  'HivesQuery.active',
  'HivesQuery.colours',
  'HiveBody.neighbours',
  ...Object.entries(FIELDS).flatMap(([field, [type]]) => (type === Date ? `NotedRulesBody.${field}` : [])),
]);

interface Shape {
  readonly dto: DtoClass;
  readonly type: 'body' | 'query' | 'param';
  readonly schema: Schema;
  /** The parameters that are lists in one text. */
  readonly joined?: readonly string[];
}

/** Checks each class of a body, a query or a path, of the service and of the modules of the tests, without a server. */
describe('the rules of a class', () => {
  let service: Service;
  let values: Values;
  let shapes: Shape[];
  let fits: Fits;
  beforeAll(async () => {
    service = await startService(sqlite, { modules: MODULES });
    const document = resolvedDocument(openApiDocument(service.app) as unknown as Document);
    fits = judgeOf(document);
    values = new Values(document);
    const all = service.app.get(Routes).all();
    const addresses = addressesIn(document.paths, all);
    shapes = all.flatMap((route) =>
      dtosOf(route).flatMap(({ kind, dto }): Shape[] => {
        const [address] = addresses.get(route)!;
        const operation = address && document.paths[address.path]![address.method];
        if (!operation) return [];
        // RulesBody has the fields of NotedRulesBody, without examples.
        if (dto.name === 'RulesBody') return [];
        if (kind === RouteParamtypes.BODY) {
          const schema = operation.requestBody?.content['application/json']?.schema;
          return schema ? [{ dto, type: 'body', schema }] : [];
        }
        const type = kind === RouteParamtypes.QUERY ? 'query' : 'param';
        const parameters = (operation.parameters ?? []).filter(
          (one) => one.in === (type === 'param' ? 'path' : type),
        );
        const required = parameters.filter((one) => one.required).map(({ name }) => name);
        const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
        const schema = { type: 'object', properties, required, additionalProperties: false };
        const joined = parameters.filter(({ explode }) => explode === false).map(({ name }) => name);
        return [{ dto, type, schema, joined }];
      }),
    );
  });
  afterAll(() => service.stop());

  /** Whether a faulty value can be sent as a text, and is still faulty then. */
  const isText = ({ properties = {} }: Schema, pointer: string, query: unknown) => {
    const { [pointer.slice(1)]: field } = properties;
    if (!field) return pointer !== '';
    const value = (query as Record<string, unknown>)[pointer.slice(1)];
    if (value === undefined) return true;
    const { type } = values.resolve(field);
    return type === 'string' ? typeof value === 'string' : typeof value === 'number' || value === 'x';
  };

  it('accept and reject what the OpenAPI document says', async () => {
    const wrong: string[] = [];
    for (const { dto, type, schema, joined = [] } of shapes) {
      const judge = async (value: unknown) => {
        const given =
          type === 'body' ? parseJson(Buffer.from(JSON.stringify(value))) : asTexts(value as object, joined);
        return (await judged(dto, given as object, type)).problems;
      };
      const whole = fittingOf(values, fits, schema) as Record<string, unknown>;
      const required = Object.entries(whole).filter(([name]) =>
        values.resolve(schema).required?.includes(name),
      );
      for (const value of [whole, Object.fromEntries(required)]) {
        const problems = await judge(value);
        if (problems.length > 0)
          wrong.push(`${dto.name} refuses ${JSON.stringify(value)}: ${JSON.stringify(problems)}`);
      }
      for (const { pointer, body } of faultsOf(values, fits, schema)) {
        const [, field = ''] = pointer.split('/');
        if (LENIENT.has(`${dto.name}.${field}`)) continue;
        if (type !== 'body' && !isText(schema, pointer, body)) continue;
        if (joined.includes(field) && !Array.isArray((body as Record<string, unknown>)[field])) continue;
        const found = (await judge(body)).map(({ path }) => `/${path.join('/')}`);
        // A rule of class-validator for each item of a list does not report the index.
        // A field that has another name for clients is reported by its name in the class.
        const told = pointer.replace('/made_of', '/wood');
        const named = [told || '/', told.replace(/\/0$/, '')];
        if (!found.some((one) => named.includes(one) || one.startsWith(`${told}/`)))
          wrong.push(
            `${dto.name} accepts ${pointer}: ${JSON.stringify((body as Record<string, unknown>)[field])} ${found.join()}`,
          );
      }
    }
    expect(shapes.length).toBeGreaterThan(20);
    expect(wrong, `The rules of a class and the document differ. ${DOCUMENTED}`).toEqual([]);
  });
});

/** The values as a query contains them: a list of one item, or a joined list, is a text. */
const asTexts = (values: object, joined: readonly string[]) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const texts = [value as unknown].flat().map(String);
      if (joined.includes(name)) return [name, texts.join()];
      return [name, texts.length === 1 ? texts[0] : texts];
    }),
  );
