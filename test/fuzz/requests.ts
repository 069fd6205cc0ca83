import fc from 'fast-check';
import { PLATFORM_ERRORS } from '../../src/platform/http/errors/error-codes.js';
import { type JsonValue, parseJson } from '../../src/platform/json/parse-json.js';
import { writeJson } from '../../src/platform/json/write-json.js';
import type { ModuleFacts } from '../support/module-facts.js';
import { type Document, type Operation, type Parameter, quote, Values } from './arbitraries.js';
import { type Expected, type Parts, Trial } from './attempt.js';

const REFUSED: Expected = { statuses: [400] };

/** Generates requests from the document's operations. */
export class Requests {
  readonly #values: Values;

  /** `facts` are what the document does not say about modules. */
  constructor(
    private readonly document: Document,
    private readonly facts: readonly ModuleFacts[],
  ) {
    this.#values = new Values(document);
  }

  /** Valid requests. */
  valid(): fc.Arbitrary<Trial> {
    return fc.oneof(
      ...this.#operations().map(([path, method, operation]) =>
        this.#parts(operation).map(
          (parts) => new Trial(method, path, parts, this.#acceptable(path, operation)),
        ),
      ),
    );
  }

  /** Requests that are invalid in one place, and must be rejected. */
  invalid(): fc.Arbitrary<Trial> {
    return fc.oneof(
      ...this.#operations().flatMap(([path, method, operation]) => this.#spoilt(path, method, operation)),
    );
  }

  #operations(): [path: string, method: string, operation: Operation][] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, operation]) => [path, method.toUpperCase(), operation] as [string, string, Operation],
      ),
    );
  }

  #parts(operation: Operation): fc.Arbitrary<Parts> {
    const parameters = (where: string) =>
      (operation.parameters ?? []).filter((parameter) => parameter.in === where);
    const path = fc.record(
      Object.fromEntries(parameters('path').map((parameter) => [parameter.name, this.#plain(parameter)])),
    ) as fc.Arbitrary<Record<string, string>>;
    // A cursor cannot be generated; it is taken from a link.
    const inQuery = parameters('query').filter(({ name }) => name !== 'cursor');
    const query = fc.record(
      Object.fromEntries(inQuery.map((parameter) => [parameter.name, this.#plain(parameter)])),
      { requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name) },
    ) as fc.Arbitrary<Record<string, string>>;
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body: fc.Arbitrary<string | undefined> = schema
      ? this.#values.fitting(schema)
      : fc.constant(undefined);
    const inOrder = query.map((given) => withoutOtherRanges(given, operation.parameters ?? []));
    return fc.record({ path, query: inOrder, body }).filter((parts) => this.#keepsRules(operation, parts));
  }

  #keepsRules({ operationId }: Operation, { query, body }: Pick<Parts, 'query' | 'body'>): boolean {
    const rules = this.facts.flatMap((facts) => facts.rules?.[operationId] ?? []);
    const fields = body === undefined ? query : (parseJson(Buffer.from(body)) as Record<string, JsonValue>);
    return rules.every((holds) => holds(fields));
  }

  /** A value as written in a path or a query: without quotes, a list without brackets. */
  #plain({ schema }: Parameter): fc.Arbitrary<string> {
    return this.#values
      .fitting(schema)
      .map((text) => (text.startsWith('"') ? (JSON.parse(text) as string) : text.replaceAll(/^\[|\]$/g, '')));
  }

  #spoilt(path: string, method: string, operation: Operation): fc.Arbitrary<Trial>[] {
    const sound = this.#parts(operation);
    const spoil = (
      where: 'path' | 'query',
      name: fc.Arbitrary<string>,
      bad: fc.Arbitrary<string>,
      expected = REFUSED,
    ) =>
      fc
        .tuple(sound, name, bad)
        .map(
          ([parts, key, text]) =>
            new Trial(method, path, { ...parts, [where]: { ...parts[where], [key]: text } }, expected),
        );
    const attempts: fc.Arbitrary<Trial>[] = [];

    const parameters = operation.parameters ?? [];
    for (const { name, in: where, schema, required } of parameters) {
      if (where === 'query' && required) {
        const without = (query: Parts['query']) =>
          Object.fromEntries(Object.entries(query).filter(([other]) => other !== name));
        attempts.push(
          sound.map((parts) => new Trial(method, path, { ...parts, query: without(parts.query) }, REFUSED)),
        );
      }
      const { type, format, enum: words } = this.#values.resolve(schema);
      if (where === 'query' && name === 'cursor')
        attempts.push(spoil(where, fc.constant(name), fc.base64String()));
      else if (where === 'query' && (type !== 'string' || format !== undefined || words)) {
        const wrong = fc.string().filter((text) => !this.#fits(text, schema));
        attempts.push(spoil(where, fc.constant(name), wrong));
      } else if (where === 'path' && type === 'integer') {
        const wrong = fc.constantFrom('x', '1e3', '007', '+1', '9223372036854775808', '1.0', '\0');
        const statuses = this.#isJudgedByState(operation) ? [404, 400] : [404];
        attempts.push(spoil(where, fc.constant(name), wrong, { statuses }));
      }
    }
    if (method === 'GET' && !path.includes('{')) {
      const unknown = ['offset', 'page', 'Limit', 'sort', '__proto__', 'constructor'].filter((name) =>
        parameters.every((parameter) => parameter.name !== name),
      );
      attempts.push(spoil('query', fc.constantFrom(...unknown), fc.constant('1')));
    }
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) attempts.push(...this.#spoiltBodies(sound, method, path, schema));
    return attempts;
  }

  #spoiltBodies(
    sound: fc.Arbitrary<Parts>,
    method: string,
    path: string,
    unresolved: Parameter['schema'],
  ): fc.Arbitrary<Trial>[] {
    const { properties = {}, required = [] } = this.#values.resolve(unresolved);
    const replaced = (body: string, name: string, value: string | undefined) => {
      const members = Object.entries(parseJson(Buffer.from(body)) as Record<string, JsonValue>)
        .filter(([known]) => known !== name)
        .map(([known, member]) => `${quote(known)}:${writeJson(member)}`);
      return `{${[...members, ...(value === undefined ? [] : [`${quote(name)}:${value}`])].join(',')}}`;
    };
    const spoil = (name: string, value: fc.Arbitrary<string | undefined>) =>
      fc
        .tuple(sound, value)
        .map(
          ([parts, text]) =>
            new Trial(method, path, { ...parts, body: replaced(parts.body!, name, text) }, REFUSED),
        );
    const unknown = ['id', 'colour', 'constructor', 'toString'].filter(
      (name) => !Object.hasOwn(properties, name),
    );
    return [
      ...Object.entries(properties).map(([name, schema]) => spoil(name, this.#values.unfitting(schema))),
      ...required.map((name) => spoil(name, fc.constant(undefined))),
      ...unknown.map((name) => spoil(name, fc.constant('1'))),
      fc.tuple(sound, fc.nat(100)).map(([parts, cut]) => {
        const body = parts.body!.slice(0, -1 - (cut % (parts.body!.length - 1)));
        return new Trial(method, path, { ...parts, body }, REFUSED);
      }),
    ];
  }

  /** Whether a text may be a valid value in a query; if in doubt, it may. */
  #fits(text: string, unresolved: Parameter['schema']): boolean {
    const schema = this.#values.resolve(unresolved);
    const { enum: words, type, items, minimum = -Infinity, maximum = Infinity } = schema;
    if (items) return text.split(',').every((item) => this.#fits(item, items));
    if (words) return words.includes(text);
    if (type === 'boolean') return text === 'true' || text === 'false';
    if (type === 'integer') return /^-?\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
    return /^\d{4}-/.test(text);
  }

  /** Whether a rule may refuse a body that fits the document. */
  #isJudgedByState({ operationId }: Operation): boolean {
    return this.facts.some(({ judgedByState }) => judgedByState?.includes(operationId));
  }

  /** The responses to a valid request: success, or a rejection because an item is missing or in the wrong state. */
  #acceptable(path: string, operation: Operation): Expected {
    const { responses } = operation;
    const done = Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300);
    const refusals = Object.entries(responses).flatMap(([status, { content }]) =>
      Object.keys(content?.['application/json']?.examples ?? {})
        .filter((code) => !PLATFORM_ERRORS.has(code) || OF_HANDLERS.includes(code))
        .map((code) => [Number(status), code] as const),
    );
    if (path.includes('{')) refusals.push([404, 'not_found']);
    if (this.#isJudgedByState(operation)) refusals.push([400, 'validation_failed']);
    return {
      statuses: [...done, ...refusals.map(([status]) => status)],
      codes: refusals.map(([, code]) => code),
    };
  }
}

/** The query without ranges of fields that the list is not sorted by: a list is sorted by one field. */
function withoutOtherRanges(query: Parts['query'], parameters: readonly Parameter[]): Parts['query'] {
  const ranges = new Map(
    parameters.flatMap((one) => (one['x-range-of'] ? [[one.name, one['x-range-of']]] : [])),
  );
  const [first] = Object.keys(query).flatMap((name) => ranges.get(name) ?? []);
  const order = query['sort']?.replace(/^-/, '') ?? first;
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => [undefined, order].includes(ranges.get(name))),
  );
}

/** The codes of Nest's exceptions that a handler may throw because of stored data. */
const OF_HANDLERS = ['not_found', 'conflict', 'gone', 'unprocessable_entity'];
