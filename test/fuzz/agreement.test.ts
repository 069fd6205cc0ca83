import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine } from '../support/engines.js';
import { factsOfModules, type ModuleFacts, RULE } from '../support/module-facts.js';
import { BerthsModule, berthsFacts } from '../support/modules/berths-module.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { unlessTaken } from '../support/samples.js';
import { type Service, startService } from '../support/service.js';
import { WalksModule } from '../support/walks/walks.module.js';
import { type Document, type Operation, type Parameter, Values } from './arbitraries.js';
import { Attempt } from './attempt.js';
import { bodyOf, faultsOf, type Fits, fittingOf } from './bodies.js';

/** How many requests of each kind; `npm run test:fuzz` asks for many more. */
const RUNS = Number(process.env['FUZZ_REQUESTS'] ?? 250);

/** By code: what the document states in words about a text, because no schema can express it. */
const IN_WORDS: Readonly<Record<string, RegExp>> = { blank: /visible/, malformed_text: /code points/ };

const NOTHING = /(?!)/;

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}
type Query = [name: string, text: string][];

/** A request of an operation, with 1 for each id. */
class Sample extends Attempt {
  constructor(
    readonly operation: Described,
    readonly query: Query,
    readonly value?: unknown,
  ) {
    const { method, path } = operation;
    const body = value === undefined ? [] : [JSON.stringify(value)];
    super(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'), query, ...body);
  }
}

describe('what the document accepts and refuses', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let operations: Described[];
    let values: Values;
    let facts: readonly ModuleFacts[];
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    // JSON.stringify writes the double -(2^63) with rounded digits, which are out of range.
    const isInt64 = (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 63;
    ajv.addFormat('int64', { type: 'number', validate: isInt64 });
    const known = new Map<string, ValidateFunction>();
    const compiled = (schema: object): ValidateFunction => {
      const text = JSON.stringify(schema);
      const found = known.get(text) ?? ajv.compile(schema);
      known.set(text, found);
      return found;
    };

    beforeAll(async () => {
      service = await startService(engine, {
        modules: [BerthsModule, ...unlessTaken(AppointmentsModule, WalksModule)],
      });
      const { json } = await service.stranger.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      ajv.addSchema(document, 'openapi');
      values = new Values(document);
      facts = [berthsFacts, ...(await factsOfModules())];
      operations = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
      );
    });
    afterAll(() => service.stop());

    const send = ({ method, target, body }: Attempt, headers = {}): Promise<Answer> =>
      service.client.send(method, target, {
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body }),
      });
    const inQuery = ({ parameters = [] }: Described) => parameters.filter((one) => one.in === 'query');
    /** What a request of an operation must not lack. */
    const requiredOf = (operation: Described) =>
      inQuery(operation)
        .filter(({ required }) => required)
        .map(({ name, schema }): Query[number] => [name, String(fittingOf(values, fits, schema))]);
    const bodySchemaOf = ({ requestBody }: Described) => requestBody?.content['application/json']?.schema;
    const pointerTo = ({ path, method }: Described, ...rest: string[]) =>
      `openapi#/${['paths', path, method, ...rest].map((token) => encodeURIComponent(token.replaceAll('/', '~1'))).join('/')}`;
    const absolute = (schema: object) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    const fits: Fits = (schema, value) => compiled(absolute(schema))(value);
    const codesOf = ({ json }: Answer) => {
      // An answer without a body has none.
      const { code, details = [] } = (json ?? {}) as {
        code?: string;
        details?: { code: string; field: string }[];
      };
      return { code, details };
    };

    /** Whether a rule that the document cannot express refuses these fields. */
    const breaksRule = ({ operationId }: Described, fields: unknown) =>
      facts.some(({ rules }) => rules?.[operationId]?.(fields as never) === false);

    /** That the document states in words why this text is refused. */
    const expectInWords = (
      code: string,
      described: { readonly description?: string } | undefined,
      { text }: Answer,
    ) => expect(described?.description ?? '', `${text}\n${RULE}`).toMatch(IN_WORDS[code] ?? NOTHING);

    it('of a body, the service does', () => {
      const made = fc.constantFrom(...operations.filter(bodySchemaOf)).chain((operation) => {
        const body = bodyOf(values, bodySchemaOf(operation)!);
        return body.map((value) => new Sample(operation, requiredOf(operation), value));
      });
      const check = async (sample: Sample) => {
        const { operation, value } = sample;
        const where = ['requestBody', 'content', 'application/json', 'schema'];
        const isFitting = compiled({ $ref: pointerTo(operation, ...where) })(value);
        const answer = await send(sample);
        const { code, details } = codesOf(answer);
        if (!isFitting) expect([answer.status, code], answer.text).toEqual([400, 'validation_failed']);
        else if (answer.status === 400) {
          if (breaksRule(operation, value)) return;
          if (facts.some(({ judgedByState }) => judgedByState?.includes(operation.operationId))) return;
          const { properties } = values.resolve(bodySchemaOf(operation)!);
          for (const problem of details)
            expectInWords(problem.code, properties?.[problem.field.slice(1)], answer);
        } else expect(Object.keys(operation.responses), answer.text).toContain(String(answer.status));
      };
      return fc.assert(
        fc.asyncProperty(made, (sample) => sample.check(() => check(sample))),
        { numRuns: RUNS },
      );
    });

    // Random bodies may miss a fault for many runs.
    it('of a body with a single fault, the service does, and names the field', async () => {
      const accepted: string[] = [];
      for (const operation of operations) {
        const schema = bodySchemaOf(operation);
        for (const { pointer, body } of schema ? faultsOf(values, fits, schema) : []) {
          const sample = new Sample(operation, requiredOf(operation), body);
          const answer = await send(sample);
          const { code, details } = codesOf(answer);
          // A rule of class-validator for each item of a list knows no index.
          const named = [pointer, pointer.replace(/\/0$/, '')];
          const isNamed = details.some(
            ({ field }) => named.includes(field) || field.startsWith(`${pointer}/`),
          );
          if (answer.status !== 400 || code !== 'validation_failed' || !isNamed)
            accepted.push(`${sample}\n${pointer}: ${answer.status} ${answer.text}`);
        }
      }
      expect(accepted).toEqual([]);
    });

    it('of a query, the service does', () => {
      const made = fc.constantFrom(...operations).chain((operation) => {
        const schema = bodySchemaOf(operation);
        const body = schema && fittingOf(values, fits, schema);
        const required = fc.constantFrom(requiredOf(operation), requiredOf(operation), []);
        return fc
          .tuple(required, queryOf(operation))
          .map((query) => new Sample(operation, query.flat(), body));
      });
      const check = async (sample: Sample) => {
        const { operation, query } = sample;
        const known = new Map(inQuery(operation).map((one) => [one.name, one]));
        // A cursor is taken from links; its format is opaque.
        if (query.some(([name]) => name === 'cursor')) return;
        const names = query.map(([name]) => name);
        const unknown = names.some((name) => !known.has(name));
        const repeated = new Set(names).size < names.length;
        const lacking = requiredOf(operation).some(([name]) => !names.includes(name));
        const misfit = query.some(([name, text]) => known.has(name) && !isValue(known.get(name)!, text));
        const answer = await send(sample);
        const { code, details } = codesOf(answer);
        if (unknown) expect([answer.status, code], answer.text).toEqual([400, 'unknown_parameter']);
        else if (repeated || lacking || misfit)
          expect([answer.status, code], answer.text).toEqual([400, 'invalid_parameter']);
        else if (code === 'invalid_parameter' && !breaksRule(operation, Object.fromEntries(query)))
          for (const problem of details)
            expectInWords(problem.code, known.get(problem.field.replace('query.', '')), answer);
        // The item may not exist, and a rule may refuse the body.
        else expect(Object.keys(operation.responses), answer.text).toContain(String(answer.status));
      };
      const isValue = ({ schema, ...parameter }: Parameter, text: string): boolean => {
        // The description of a range parameter says which order it requires; the tests of lists cover that.
        if (parameter['x-range-of']) return false;
        const { type, items } = values.resolve(schema);
        if (items) {
          const each = text.split(',');
          const { minItems = 0, maxItems = each.length } = values.resolve(schema);
          const fitsItem = (item: string) => isValue({ ...parameter, schema: items }, item);
          return each.length >= minItems && each.length <= maxItems && each.every(fitsItem);
        }
        if (type === 'integer' && !/^(?:0|-?[1-9]\d*)$/.test(text)) return false;
        if (type === 'boolean' && !['true', 'false'].includes(text)) return false;
        const value: unknown = type === 'integer' || type === 'boolean' ? JSON.parse(text) : text;
        const { allOf, ...plain } = schema as { allOf?: object[] };
        return compiled(absolute(allOf ? { allOf } : plain))(value);
      };
      const queryOf = (operation: Described): fc.Arbitrary<Query> => {
        const own = inQuery(operation).filter((one) => !one['x-range-of']);
        const words = own.flatMap(({ schema }) => values.resolve(schema).enum ?? []);
        const pair = fc.tuple(
          fc.oneof(
            ...(own.length > 0
              ? [{ weight: 9, arbitrary: fc.constantFrom(...own.map(({ name }) => name)) }]
              : []),
            {
              weight: 1,
              arbitrary: fc.constantFrom('stauts', 'Limit', 'page', 'x', '__proto__'),
            },
          ),
          fc.oneof(fc.constantFrom(...TEXTS, ...words), fc.string({ unit: 'grapheme', maxLength: 5 })),
        );
        return fc.array(pair, { minLength: 1, maxLength: 3 });
      };
      return fc.assert(
        fc.asyncProperty(made, (sample) => sample.check(() => check(sample))),
        { numRuns: RUNS },
      );
    });

    it('of an Idempotency-Key, the service does', () => {
      const named = (one: Described) => one.parameters?.find(({ name }) => name === 'Idempotency-Key');
      const operation = operations.find((one) => one.operationId === 'createPet')!;
      const fits = ajv.compile(named(operation)!.schema);
      const part = fc.string({ unit: fc.constantFrom(...'aZ"\\-~ 9é'), minLength: 1, maxLength: 12 });
      const long = fc.constantFrom(254, 255, 256).map((length) => 'k'.repeat(length));
      const key = fc.oneof(part, long).chain((text) => fc.constantFrom(text, `"${text}"`));
      const check = async (text: string) => {
        const header = text.trim();
        fc.pre(header !== '');
        // The body depends on the key, so that no key is used again with a different body.
        const body = {
          name: `Key ${Buffer.from(header, 'latin1').toString('hex').slice(0, 60)}`,
          categoryId: 7,
        };
        const answer = await send(new Sample(operation, [], body), { 'Idempotency-Key': header });
        const what = `${header}: ${answer.text}`;
        if (fits(header)) expect([201, 422], what).toContain(answer.status);
        else expect([answer.status, codesOf(answer).code], what).toEqual([400, 'invalid_idempotency_key']);
      };
      return fc.assert(fc.asyncProperty(key, check), { numRuns: Math.ceil(RUNS / 4) });
    });
  }));

const TEXTS = [
  '1,2,3',
  '1,,2',
  '',
  '0',
  '1',
  '20',
  '100',
  '101',
  '007',
  '+5',
  '1e1',
  '-1',
  '5.0',
  ' 5',
  'true',
  'Available',
  'id',
  '-id',
];
