import fc from 'fast-check';
import { type Document, type Operation, type Parameter, quote, Values } from './arbitraries.js';

/** A request that was made up, and the statuses that may answer it. */
export interface Attempt {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  readonly expected: readonly number[];
}

interface Parts {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Makes requests out of what the document says of an operation. */
export class Requests {
  readonly #values: Values;

  constructor(private readonly document: Document) {
    this.#values = new Values(document);
  }

  /** Requests that have nothing wrong. */
  valid(): fc.Arbitrary<Attempt> {
    return fc.oneof(
      ...this.#operations().map(([path, method, operation]) =>
        this.#parts(path, operation).map((parts) => attempt(method, parts, acceptable(path, operation))),
      ),
    );
  }

  /** Requests that are wrong in one place, and must be refused for it. */
  invalid(): fc.Arbitrary<Attempt> {
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

  #parts(path: string, operation: Operation): fc.Arbitrary<Parts> {
    const parameters = (where: string) =>
      (operation.parameters ?? []).filter((parameter) => parameter.in === where);
    const filled = fc
      .tuple(...parameters('path').map(({ schema }) => this.#values.fitting(schema)))
      .map((values) =>
        parameters('path').reduce((text, { name }, i) => text.replace(`{${name}}`, values[i]!), `/v1${path}`),
      );
    // A cursor cannot be made up: it is taken from a link.
    const query = fc.record(
      Object.fromEntries(
        parameters('query')
          .filter(({ name }) => name !== 'cursor')
          .map((parameter) => [parameter.name, this.#plain(parameter)]),
      ),
      { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>;
    const body = operation.requestBody?.content['application/json']?.schema;
    return fc.record({
      path: filled,
      query,
      body: body ? this.#values.fitting(body) : fc.constant(undefined),
    });
  }

  /** A value as it stands in a query: without quotes. */
  #plain({ schema }: Parameter): fc.Arbitrary<string> {
    return this.#values
      .fitting(schema)
      .map((text) => (text.startsWith('"') ? (JSON.parse(text) as string) : text));
  }

  #spoilt(path: string, method: string, operation: Operation): fc.Arbitrary<Attempt>[] {
    const sound = this.#parts(path, operation);
    const spoil = (
      change: (parts: Parts, bad: string) => Parts,
      bad: fc.Arbitrary<string>,
      expected: number[],
    ) => fc.tuple(sound, bad).map(([parts, text]) => attempt(method, change(parts, text), expected));
    const withQuery = (name: string) => (parts: Parts, value: string) => ({
      ...parts,
      query: { ...parts.query, [name]: value },
    });
    const attempts: fc.Arbitrary<Attempt>[] = [];

    for (const { name, in: where, schema } of operation.parameters ?? []) {
      if (where === 'query' && name === 'cursor')
        attempts.push(spoil(withQuery(name), fc.base64String(), [400]));
      else if (where === 'query') {
        const wrong = fc.string().filter((text) => !this.#fits(text, schema));
        attempts.push(spoil(withQuery(name), wrong, [400]));
      } else if (where === 'path') {
        const wrong = fc.constantFrom('x', '1e3', '007', '+1', '9223372036854775808', '1.0', '%00');
        attempts.push(
          spoil((parts, text) => ({ ...parts, path: parts.path.replace(/[^/]+$/, text) }), wrong, [404]),
        );
      }
    }
    if (method === 'GET' && !path.includes('{')) {
      const unknown = fc.constantFrom('offset', 'page', 'Limit', 'sort', '__proto__', 'constructor');
      attempts.push(
        spoil((parts, name) => ({ ...parts, query: { ...parts.query, [name]: '1' } }), unknown, [400]),
      );
    }
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) attempts.push(...this.#spoiltBodies(sound, method, schema));
    return attempts;
  }

  #spoiltBodies(
    sound: fc.Arbitrary<Parts>,
    method: string,
    unresolved: Parameter['schema'],
  ): fc.Arbitrary<Attempt>[] {
    const { properties = {}, required = [] } = this.#values.resolve(unresolved);
    const replaced = (body: string, name: string, value: string | undefined) => {
      const members = new Map(
        Object.entries(properties).flatMap(([known]) => {
          const match = new RegExp(`"${known}":("(?:[^"\\\\]|\\\\.)*"|[^,}]+)`).exec(body);
          return match ? [[known, match[1]!]] : [];
        }) as [string, string][],
      );
      if (value === undefined) members.delete(name);
      else members.set(name, value);
      return `{${[...members].map(([key, text]) => `${quote(key)}:${text}`).join(',')}}`;
    };
    const spoil = (name: string, value: fc.Arbitrary<string | undefined>) =>
      fc
        .tuple(sound, value)
        .map(([parts, text]) =>
          attempt(method, { ...parts, body: replaced(parts.body!, name, text) }, [400]),
        );
    return [
      ...Object.entries(properties).map(([name, schema]) => spoil(name, this.#values.unfitting(schema))),
      ...required.map((name) => spoil(name, fc.constant(undefined))),
      ...['id', 'colour', 'constructor', 'toString'].map((name) => spoil(name, fc.constant('1'))),
      fc
        .tuple(sound, fc.nat(100))
        .map(([parts, cut]) =>
          attempt(
            method,
            { ...parts, body: parts.body!.slice(0, -1 - (cut % (parts.body!.length - 1))) },
            [400],
          ),
        ),
    ];
  }

  #fits(text: string, unresolved: Parameter['schema']): boolean {
    const schema = this.#values.resolve(unresolved);
    if (schema.enum) return schema.enum.includes(text);
    return /^[1-9]\d*$/.test(text) && Number(text) >= schema.minimum! && Number(text) <= schema.maximum!;
  }
}

/** How a valid request may end: done, or as it is with things that are not there or not in the state for it. */
function acceptable(path: string, { responses }: Operation): number[] {
  const done = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300);
  const conflicts = Object.keys(responses['409']?.content?.['application/json']?.examples ?? {});
  return [
    ...done,
    ...(path.includes('{') ? [404] : []),
    ...(conflicts.some((code) => code !== 'idempotency_in_progress') ? [409] : []),
  ];
}

function attempt(method: string, { path, query, body }: Parts, expected: readonly number[]): Attempt {
  const search = new URLSearchParams(query).toString();
  return {
    method,
    target: search === '' ? path : `${path}?${search}`,
    ...(body !== undefined && { body }),
    expected,
  };
}

/** The request as a line to paste. */
export function asCurl({ method, target, body }: Attempt, origin: string): string {
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' --data-binary ${shell(body)}`;
  return `curl -i -X ${method} -H "Authorization: Bearer $KEY"${data} ${shell(origin + target)}`;
}

const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
