import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine } from '../support/engines.js';
import { factsOfModules, type ModuleFacts } from '../support/module-facts.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { type Service, startService } from '../support/service.js';
import { type Document, type Operation, type Parameter, type Schema, Values } from './arbitraries.js';

/** How many requests of each kind; `npm run test:fuzz` asks for many more. */
const RUNS = Number(process.env['FUZZ_REQUESTS'] ?? 250);

/** By code: what the document states in words about a text, because no schema can express it. */
const IN_WORDS: Readonly<Record<string, RegExp>> = { blank: /visible/, malformed_text: /code points/ };

type Json = Record<string, unknown>;
interface Described extends Operation {
  readonly method: string;
  readonly path: string;
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
      service = await startService(engine, { modules: [AppointmentsModule] });
      const { json } = await service.stranger.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      ajv.addSchema(document, 'openapi');
      values = new Values(document);
      facts = await factsOfModules();
      operations = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
      );
    });
    afterAll(() => service.stop());

    const send = (
      { method, path }: Described,
      query: string,
      body?: unknown,
      headers = {},
    ): Promise<Answer> =>
      service.client.send(method.toUpperCase(), `/v1${path.replaceAll(/\{\w+\}/g, '1')}${query}`, {
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const pointerTo = ({ path, method }: Described, ...rest: string[]) =>
      `openapi#/${['paths', path, method, ...rest].map((token) => encodeURIComponent(token.replaceAll('/', '~1'))).join('/')}`;
    const absolute = (schema: object) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    const codesOf = ({ json }: Answer) => {
      const { code, details = [] } = json as { code?: string; details?: { code: string; field: string }[] };
      return { code, details };
    };

    it('of a body, the service does', () => {
      const withBody = operations.filter(({ requestBody }) => requestBody);
      const made = fc.constantFrom(...withBody).chain((operation) => {
        const { schema } = operation.requestBody!.content['application/json']!;
        return fc.record({ operation: fc.constant(operation), body: bodyOf(values, schema) });
      });
      const check = async ({ operation, body }: { operation: Described; body: unknown }) => {
        const where = ['requestBody', 'content', 'application/json', 'schema'];
        const fits = compiled({ $ref: pointerTo(operation, ...where) })(body);
        const answer = await send(operation, '', body);
        const { code, details } = codesOf(answer);
        const what = `${operation.operationId} ${JSON.stringify(body)}: ${answer.text}`;
        if (!fits) expect([answer.status, code], what).toEqual([400, 'validation_failed']);
        else if (answer.status === 400) {
          const rules = facts.flatMap(({ rules: all }) => all?.[operation.operationId] ?? []);
          if (rules.some((holds) => !holds(body as never))) return;
          if (facts.some(({ judgedByState }) => judgedByState?.includes(operation.operationId))) return;
          const { properties } = values.resolve(operation.requestBody!.content['application/json']!.schema);
          for (const problem of details) {
            const { description = '' } = (properties?.[problem.field.slice(1)] ?? {}) as {
              description?: string;
            };
            expect(description, what).toMatch(IN_WORDS[problem.code] ?? /^$/);
          }
        } else expect(Object.keys(operation.responses), what).toContain(String(answer.status));
      };
      return fc.assert(fc.asyncProperty(made, check), { numRuns: RUNS });
    });

    // Random bodies may miss a fault for many runs.
    it('of a body with a single fault, the service does, and names the field', async () => {
      const fits: Fits = (schema, value) => compiled(absolute(schema))(value);
      const accepted: string[] = [];
      for (const operation of operations) {
        const { schema } = operation.requestBody?.content['application/json'] ?? {};
        for (const { pointer, body } of schema ? faultsOf(values, fits, schema) : []) {
          const answer = await send(operation, '', body);
          const { code, details } = codesOf(answer);
          const isNamed = details.some(({ field }) => field === pointer || field.startsWith(`${pointer}/`));
          if (answer.status !== 400 || code !== 'validation_failed' || !isNamed)
            accepted.push(
              `${operation.operationId} ${JSON.stringify(body)}: ${pointer}: ${answer.status} ${answer.text}`,
            );
        }
      }
      expect(accepted).toEqual([]);
    });

    it('of a query, the service does', () => {
      const made = fc
        .constantFrom(...operations)
        .chain((operation) => fc.record({ operation: fc.constant(operation), query: queryOf(operation) }));
      const check = async ({ operation, query }: { operation: Described; query: [string, string][] }) => {
        const known = new Map(
          (operation.parameters ?? []).filter((one) => one.in === 'query').map((one) => [one.name, one]),
        );
        // A cursor is taken from links; its format is opaque.
        if (query.some(([name]) => name === 'cursor')) return;
        const names = query.map(([name]) => name);
        const unknown = names.some((name) => !known.has(name));
        const repeated = new Set(names).size < names.length;
        const misfit = query.some(([name, text]) => known.has(name) && !isValue(known.get(name)!, text));
        const answer = await send(operation, `?${new URLSearchParams(query)}`);
        const { code } = codesOf(answer);
        const what = `${operation.operationId} ${JSON.stringify(query)}: ${answer.text}`;
        if (unknown) expect([answer.status, code], what).toEqual([400, 'unknown_parameter']);
        else if (repeated || misfit) expect([answer.status, code], what).toEqual([400, 'invalid_parameter']);
        // Without query parameters the status varies: the body is missing, or the item does not exist.
        else if (known.size > 0) expect(answer.status, what).toBe(200);
      };
      const isValue = ({ schema, ...parameter }: Parameter, text: string) => {
        // The description of a range parameter says which order it requires; the tests of lists cover that.
        if (parameter['x-range-of']) return false;
        const { type } = values.resolve(schema);
        if (type === 'integer' && !/^(?:0|-?[1-9]\d*)$/.test(text)) return false;
        if (type === 'boolean' && !['true', 'false'].includes(text)) return false;
        const value: unknown = type === 'integer' || type === 'boolean' ? JSON.parse(text) : text;
        const { allOf, ...plain } = schema as { allOf?: object[] };
        return compiled(absolute(allOf ? { allOf } : plain))(value);
      };
      const queryOf = ({ parameters = [] }: Described): fc.Arbitrary<[string, string][]> => {
        const own = parameters.filter((one) => one.in === 'query' && !one['x-range-of']);
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
      return fc.assert(fc.asyncProperty(made, check), { numRuns: RUNS });
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
        const answer = await send(operation, '', body, { 'Idempotency-Key': header });
        const what = `${header}: ${answer.text}`;
        if (fits(header)) expect([201, 422], what).toContain(answer.status);
        else expect([answer.status, codesOf(answer).code], what).toEqual([400, 'invalid_idempotency_key']);
      };
      return fc.assert(fc.asyncProperty(key, check), { numRuns: Math.ceil(RUNS / 4) });
    });
  }));

const TEXTS = [
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

/** Values that are almost valid for some field. */
const NEARLY = [
  null,
  true,
  0,
  -1,
  7.5,
  1e3,
  1e300,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  '',
  ' ',
  'x',
  '7',
  'a\u0000b',
  'tab\t',
  '\u200b',
  'x'.repeat(40),
  'x'.repeat(41),
  '🐶'.repeat(255),
  '🐶'.repeat(256),
  'available',
  'AVAILABLE',
  'placed',
  'check',
  '2026-11-22T10:00:00Z',
  [],
  ['x'],
  {},
];

/** Each is of a type that most fields do not have. */
const OF_WRONG_TYPES = [null, [], {}, 'x', true];

/** A body with one fault, at the field that `pointer` names. */
interface Fault {
  readonly pointer: string;
  readonly body: unknown;
}

type Fits = (schema: Schema, value: unknown) => boolean;

/** One value that fits, with all optional fields. Prefers the examples: a made-up text fits no pattern. */
function fittingOf(values: Values, fits: Fits, unresolved: Schema): unknown {
  const schema = values.resolve(unresolved);
  const example = unresolved.example ?? schema.example;
  if (example !== undefined && fits(unresolved, example)) return example;
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, fittingOf(values, fits, field)]));
  }
  if (schema.items)
    return Array.from({ length: schema.minItems ?? 1 }, () => fittingOf(values, fits, schema.items!));
  const tries = fc.sample(values.fitting(unresolved), { seed: 1, numRuns: 100 });
  const found = tries.map((text) => JSON.parse(text) as unknown).find((value) => fits(unresolved, value));
  if (found === undefined) throw new Error(`Give this field an example that fits: ${JSON.stringify(schema)}`);
  return found;
}

/** Values that differ from a fitting one in one place: a field is missing, or has a value of a wrong type. */
function faultsOf(values: Values, fits: Fits, unresolved: Schema): Fault[] {
  const schema = values.resolve(unresolved);
  const wrong = OF_WRONG_TYPES.filter((value) => !fits(unresolved, value));
  const faults: Fault[] = wrong.map((body) => ({ pointer: '', body }));
  if (schema.items) {
    const ofItems = faultsOf(values, fits, schema.items);
    faults.push(...ofItems.map(({ pointer, body }) => ({ pointer: `/0${pointer}`, body: [body] })));
  }
  if (schema.type !== 'object') return faults;
  const whole = fittingOf(values, fits, unresolved) as Json;
  for (const name of schema.required ?? []) {
    const { [name]: _, ...body } = whole;
    faults.push({ pointer: `/${name}`, body });
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    for (const { pointer, body } of faultsOf(values, fits, field))
      faults.push({ pointer: `/${name}${pointer}`, body: { ...whole, [name]: body } });
  }
  return faults;
}

/** Without `__proto__`, which no schema can forbid, and which the service rejects before it validates fields. */
const anyJson = fc.jsonValue().filter((any) => !JSON.stringify(any).includes('__proto__'));

/** A valid body, one that differs from a valid one in one field, or any JSON. */
function bodyOf(values: Values, schema: Parameter['schema']): fc.Arbitrary<unknown> {
  const fitting = values.fitting(schema).map((text) => JSON.parse(text) as Json);
  const names = [
    ...Object.keys(values.resolve(schema).properties ?? {}),
    'id',
    'colour',
    'constructor',
    'Name',
  ];
  const value = fc.oneof(fc.constantFrom(...NEARLY), fc.string({ unit: 'grapheme', maxLength: 5 }), anyJson);
  const changed = fc.tuple(fitting, fc.constantFrom(...names), value).map(([body, name, other]) => ({
    ...body,
    [name]: other,
  }));
  const cut = fc.tuple(fitting, fc.constantFrom(...names)).map(([body, name]) => {
    return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
  });
  return fc.oneof(fitting, { weight: 6, arbitrary: changed }, cut, anyJson);
}
