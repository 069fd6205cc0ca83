import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine, sqlite } from '../support/engines.js';
import { factsOfModules, type ModuleFacts, RULE } from '../support/module-facts.js';
import { BerthsModule, berthsFacts } from '../support/modules/berths-module.js';
import { JourneysModule } from '../support/modules/journeys-module.js';
import { rawRequest } from '../support/http/raw-request.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { unlessTaken } from '../support/samples.js';
import { type Service, startService } from '../support/service.js';
import { type Document, type Operation, type Parameter, type Schema, Values } from './arbitraries.js';
import { bodyOf, fittingOf } from './bodies.js';
import { type Fits, judgeOf } from './judge.js';

/** How many requests of each kind are sent; `npm run test:fuzz` sends many more. */
const RUNS = Number(process.env['FUZZ_REQUESTS'] ?? 100);

/** By error code: what the OpenAPI document says in words about a text, because a schema cannot express it. */
const IN_WORDS: Readonly<Record<string, RegExp>> = { blank: /visible/, malformed_text: /code points/ };

const NOTHING = /(?!)/;

/** A bound on a property requires an order, which a schema cannot express. */
const OF_OTHER_ORDER = /^is for a list that is sorted by (\w+);/;

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}
type Query = [name: string, text: string][];

/** The URL at which `npm start` serves. */
const ORIGIN = 'http://127.0.0.1:3000';
/** How many characters of a message are shown; the message may contain a long response. */
const MAX_SENTENCE = 1_000;
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request of an operation, with the same value for each id. It shows itself as a curl command to paste. */
class Sample {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;

  constructor(
    readonly operation: Described,
    readonly query: Query,
    readonly value?: unknown,
    id = '1',
  ) {
    const search = new URLSearchParams(query).toString();
    const path = operation.path.replaceAll(/\{\w+\}/g, id);
    this.method = operation.method.toUpperCase();
    this.target = `/v1${path}${search === '' ? '' : `?${search}`}`;
    this.body = value === undefined ? undefined : JSON.stringify(value);
  }

  /** Runs the checks of a response. An error of a check is reported with the request that caused it. */
  async check<Result>(checks: () => Promise<Result>): Promise<Result> {
    try {
      return await checks();
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      throw new Error(`${this.toString()}\n${sentence.slice(0, MAX_SENTENCE)}`);
    }
  }

  toString(): string {
    const data = ` -H 'Content-Type: application/json' --data-binary ${shell(this.body ?? '')}`;
    return `curl -i -X ${this.method} -H "Authorization: Bearer $PETSTORE_API_KEY"${this.body === undefined ? '' : data} ${shell(ORIGIN + this.target)}`;
  }
}

describe('the service, compared with the OpenAPI document,', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let operations: Described[];
    let values: Values;
    let facts: readonly ModuleFacts[];
    let fits: Fits;

    beforeAll(async () => {
      service = await startService(engine, {
        modules: [BerthsModule, ...unlessTaken(AppointmentsModule, JourneysModule)],
      });
      const { json } = await service.stranger.get('/openapi.json');
      const document = resolvedDocument(json as unknown as Document);
      fits = judgeOf(document);
      values = new Values(document);
      facts = [berthsFacts, ...(await factsOfModules())];
      operations = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
      );
    });
    afterAll(() => service.stop());

    const send = ({ method, target, body }: Sample, headers = {}): Promise<Answer> =>
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
    const fittingBodyOf = (operation: Described) => {
      const schema = bodySchemaOf(operation);
      return schema && fittingOf(values, fits, schema);
    };
    const codesOf = ({ json }: Answer) => {
      // A response without a body has no code.
      const { code, details = [] } = (json ?? {}) as {
        code?: string;
        details?: { code: string; field: string; message: string }[];
      };
      return { code, details };
    };

    /** Whether a rule that the document cannot express rejects these fields. */
    const breaksRule = ({ operationId }: Described, fields: unknown) =>
      facts.some(({ rules }) => rules?.[operationId]?.(fields as never) === false);
    const isJudgedByState = ({ operationId }: Described) =>
      facts.some(({ judgedByState }) => judgedByState?.includes(operationId));

    /** Fails unless the document says in words why this text is rejected. */
    const expectInWords = (
      code: string,
      described: { readonly description?: string } | undefined,
      { text }: Answer,
    ) => expect(described?.description ?? '', `${text}\n${RULE}`).toMatch(IN_WORDS[code] ?? NOTHING);
    /** The client has checked that the operation names the error. */
    const expectNoFault = ({ status, text }: Answer) => expect(status, text).toBeLessThan(500);

    it('accepts and rejects the same bodies', () => {
      const made = fc.constantFrom(...operations.filter(bodySchemaOf)).chain((operation) => {
        const body = bodyOf(values, bodySchemaOf(operation)!);
        return body.map((value) => new Sample(operation, requiredOf(operation), value));
      });
      const check = async (sample: Sample) => {
        const { operation, value } = sample;
        const schema = bodySchemaOf(operation)!;
        const answer = await send(sample);
        const { code, details } = codesOf(answer);
        if (!fits(schema, value))
          expect([answer.status, code], answer.text).toEqual([400, 'validation_failed']);
        else if (answer.status === 400) {
          if (breaksRule(operation, value) || isJudgedByState(operation)) return;
          const { properties } = values.resolve(schema);
          for (const problem of details)
            expectInWords(problem.code, properties?.[problem.field.slice(1)], answer);
        } else expectNoFault(answer);
      };
      return fc.assert(
        fc.asyncProperty(made, (sample) => sample.check(() => check(sample))),
        { numRuns: RUNS },
      );
    });

    it('accepts and rejects the same queries', () => {
      const made = fc.constantFrom(...operations).chain((operation) => {
        const required = fc.constantFrom(requiredOf(operation), requiredOf(operation), []);
        return fc
          .tuple(required, queryOf(operation))
          .map((query) => new Sample(operation, query.flat(), fittingBodyOf(operation)));
      });
      const check = async (sample: Sample) => {
        const { operation, query } = sample;
        const known = new Map(inQuery(operation).map((one) => [one.name, one]));
        // Clients take cursors from links; the format of a cursor is opaque.
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
          for (const problem of details) {
            const [, property] = OF_OTHER_ORDER.exec(problem.message) ?? [];
            if (property === undefined)
              expectInWords(problem.code, known.get(problem.field.replace('query.', '')), answer);
            else
              expect([property, `-${property}`], answer.text).not.toContain(
                Object.fromEntries(query)['sort'],
              );
          }
        // The item may not exist, and a rule may reject the body.
        else expectNoFault(answer);
      };
      const isValue = ({ schema, ...parameter }: Parameter, text: string): boolean => {
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
        const { allOf, ...plain } = schema as { allOf?: Schema[] };
        return fits(allOf ? { allOf } : plain, value);
      };
      const queryOf = (operation: Described): fc.Arbitrary<Query> => {
        const own = inQuery(operation);
        const words = own.flatMap(({ schema }) => values.resolve(schema).enum ?? []);
        const strange = fc.constantFrom('stauts', 'Limit', 'page', 'x', '__proto__', 'constructor');
        const names = own.map(({ name }) => ({ weight: 9, arbitrary: fc.constant(name) }));
        const text = fc.oneof(
          fc.constantFrom(...TEXTS, ...words),
          fc.string({ unit: 'grapheme', maxLength: 5 }),
        );
        const pair = fc.tuple(fc.oneof(...names, { weight: 1 + names.length, arbitrary: strange }), text);
        return fc.array(pair, { minLength: 1, maxLength: 3 });
      };
      return fc.assert(
        fc.asyncProperty(made, (sample) => sample.check(() => check(sample))),
        { numRuns: RUNS },
      );
    });

    if (engine !== sqlite) return;

    it.each(['x', '1e3', '007', '+1', '9223372036854775808', '1.0', '%00'])(
      'rejects the id of a path that is not an integer: %s',
      async (id) => {
        const ofIds = operations.filter(({ parameters = [] }) =>
          parameters.some(({ in: where, schema }) => where === 'path' && schema.type === 'integer'),
        );
        expect(ofIds.length).toBeGreaterThan(3);
        for (const operation of ofIds) {
          const sample = new Sample(operation, requiredOf(operation), fittingBodyOf(operation), id);
          const { status } = await send(sample);
          expect(isJudgedByState(operation) ? [404, 400] : [404], `${sample}`).toContain(status);
        }
      },
    );

    it('accepts and rejects the same Idempotency-Keys', () => {
      const named = (one: Described) => one.parameters?.find(({ name }) => name === 'Idempotency-Key');
      const operation = operations.find((one) => one.operationId === 'createPet')!;
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
        if (fits(named(operation)!.schema, header)) expect([201, 422], what).toContain(answer.status);
        else expect([answer.status, codesOf(answer).code], what).toEqual([400, 'invalid_idempotency_key']);
      };
      return fc.assert(fc.asyncProperty(key, check), { numRuns: Math.ceil(RUNS / 4) });
    });

    it('rejects random bytes as a body', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          const { status } = await service.client.post('/v1/pets', Buffer.from(bytes));
          expect(status).toBe(400);
        }),
        { numRuns: RUNS },
      ));

    it('rejects or cuts off bytes that are not HTTP, without a 5xx', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 100 }), async (bytes) => {
          const answer = await rawRequest(service.port, Buffer.concat([bytes, Buffer.from('\r\n\r\n')]));
          if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
        }),
        { numRuns: Math.ceil(RUNS / 10) },
      ));
  }));

/** What a client may write for a number, a word, a list or an order. */
const TEXTS = '1,2,3 1,,2 0 1 20 100 101 007 +5 1e1 -1 5.0 true Available id -id'.split(' ').concat('', ' 5');
