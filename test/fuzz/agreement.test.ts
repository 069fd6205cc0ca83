import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onEveryEngine, sqlite } from '../support/engines.js';
import { DOCUMENTED, factsOfModules, type ModuleFacts, RULE } from '../support/module-facts.js';
import { BerthsModule, berthsFacts } from '../support/modules/berths-module.js';
import { JourneysModule } from '../support/modules/journeys-module.js';
import { PassportsModule } from '../support/modules/passports-module.js';
import { rawRequest } from '../support/http/raw-request.js';
import { resolvedDocument } from '../support/http/resolved-document.js';
import { unlessTaken } from '../support/samples.js';
import { type Service, startService } from '../support/service.js';
import { type Document, type Operation, type Parameter, type Schema, Values } from './arbitraries.js';
import { bodyOf, fittingOf } from './bodies.js';
import { Form, fittingForm, formOf } from './forms.js';
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
/** Of a response, before the remedy. */
const MAX_TEXT = 500;
const withRemedy = ({ text }: Answer, remedy: string) => `${text.slice(0, MAX_TEXT)}\n${remedy}`;

/** What to do in the module when its response does not agree with the document. */
const TOO_LENIENT = `The document does not allow this request, so the response must be this error. ${DOCUMENTED}`;
const FAULT =
  'A 5xx is a fault of the module. Throw a DomainError that the operation names in `errors`, or correct the code. The log of npm run dev has the stack.';
const UNKNOWN_ID =
  'No such id exists: read the id by @Id in the controller. If what is stored decides first, name the operation under `judgedByState` in test/modules/<module>.ts.';
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request of an operation, with the same value for each id. It shows itself as a curl command to paste. */
class Sample {
  readonly method: string;
  readonly target: string;

  constructor(
    readonly operation: Described,
    readonly query: Query,
    /** A form, or any value for a JSON body. Undefined if the request has no body. */
    readonly value?: unknown,
    id = '1',
  ) {
    const search = new URLSearchParams(query).toString();
    const path = operation.path.replaceAll(/\{\w+\}/g, id);
    this.method = operation.method.toUpperCase();
    this.target = `/v1${path}${search === '' ? '' : `?${search}`}`;
  }

  /** The body as it is sent, with its headers. */
  async encode(): Promise<{ headers?: Record<string, string>; body?: Buffer }> {
    if (this.value === undefined) return {};
    const { type, bytes } = this.value instanceof Form ? await this.value.encode() : this.#json();
    return { headers: { 'Content-Type': type }, body: bytes };
  }

  #json() {
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(this.value)) };
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
    return `curl -i -X ${this.method} -H "Authorization: Bearer $PETSTORE_API_KEY"${this.#data()} ${shell(ORIGIN + this.target)}`;
  }

  #data(): string {
    if (this.value === undefined) return '';
    if (!(this.value instanceof Form))
      return ` -H 'Content-Type: application/json' --data-binary ${shell(JSON.stringify(this.value))}`;
    const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    const parts = this.value.parts.map(({ name, content, fileName }) => {
      const file = fileName === undefined ? '' : `;filename=${quoted(fileName)}`;
      return ` -F ${shell(`${name}=${quoted(content)}${file}`)}`;
    });
    return parts.join('') + (this.value.isCut ? ' # without the last 10 bytes of the form' : '');
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
        modules: [BerthsModule, PassportsModule, ...unlessTaken(AppointmentsModule, JourneysModule)],
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

    const send = async (sample: Sample, headers = {}): Promise<Answer> => {
      const sent = await sample.encode();
      return service.client.send(sample.method, sample.target, {
        ...sent,
        headers: { ...sent.headers, ...headers },
      });
    };
    const inQuery = ({ parameters = [] }: Described) => parameters.filter((one) => one.in === 'query');
    /** What a request of an operation must not lack. */
    const requiredOf = (operation: Described) =>
      inQuery(operation)
        .filter(({ required }) => required)
        .map(({ name, schema }): Query[number] => [name, String(fittingOf(values, fits, schema))]);
    const bodySchemaOf = ({ requestBody }: Described) => requestBody?.content['application/json']?.schema;
    const formSchemaOf = ({ requestBody }: Described) => requestBody?.content['multipart/form-data']?.schema;
    const fittingBodyOf = (operation: Described) => {
      const [json, form] = [bodySchemaOf(operation), formSchemaOf(operation)];
      return form ? fittingForm(values, fits, form) : json && fittingOf(values, fits, json);
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
      answer: Answer,
    ) => expect(described?.description ?? '', withRemedy(answer, RULE)).toMatch(IN_WORDS[code] ?? NOTHING);
    /** The client has checked that the operation names the error. */
    const expectNoFault = (answer: Answer) =>
      expect(answer.status, withRemedy(answer, FAULT)).toBeLessThan(500);

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
          expect([answer.status, code], withRemedy(answer, TOO_LENIENT)).toEqual([400, 'validation_failed']);
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

    it('accepts and rejects the same forms', () => {
      const made = fc.constantFrom(...operations.filter(formSchemaOf)).chain((operation) => {
        const form = formOf(values, fits, formSchemaOf(operation)!);
        return form.map((value) => new Sample(operation, requiredOf(operation), value));
      });
      const check = async (sample: Sample) => {
        const { operation } = sample;
        const form = sample.value as Form;
        const schema = formSchemaOf(operation)!;
        const answer = await send(sample);
        const { details } = codesOf(answer);
        if (!form.fits(values, fits, schema)) {
          expect(answer.status, answer.text).toBe(400);
          return;
        }
        expectNoFault(answer);
        if (breaksRule(operation, form.texts) || isJudgedByState(operation)) return;
        const { properties } = values.resolve(schema);
        for (const problem of details)
          expectInWords(problem.code, properties?.[problem.field.slice(1)], answer);
        // The content of the example is accepted. The document says in words which other content is.
        const { parts } = fittingForm(values, fits, schema);
        const isExample = form.parts.every(({ name, content, fileName }) => {
          return fileName === undefined || parts.some((one) => one.name === name && one.content === content);
        });
        if (answer.status === 400 && details.length === 0) expect(isExample, answer.text).toBe(false);
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
        if (unknown)
          expect([answer.status, code], withRemedy(answer, TOO_LENIENT)).toEqual([400, 'unknown_parameter']);
        else if (repeated || lacking || misfit)
          expect([answer.status, code], withRemedy(answer, TOO_LENIENT)).toEqual([400, 'invalid_parameter']);
        else if (code === 'invalid_parameter' && !breaksRule(operation, Object.fromEntries(query)))
          for (const problem of details) {
            const [, property] = OF_OTHER_ORDER.exec(problem.message) ?? [];
            if (property === undefined)
              expectInWords(problem.code, known.get(problem.field.replace('query.', '')), answer);
            else
              expect([property, `-${property}`], withRemedy(answer, DOCUMENTED)).not.toContain(
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
          const answer = await send(sample);
          const allowed = isJudgedByState(operation) ? [404, 400] : [404];
          expect(allowed, `${sample}\n${withRemedy(answer, UNKNOWN_ID)}`).toContain(answer.status);
        }
      },
    );

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
