import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { resolvedDocument } from './resolved-document.js';

interface Schema {
  [keyword: string]: unknown;
}
interface Described {
  /** The content of an error has an example for each code. */
  readonly content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
  readonly headers?: Record<string, { required?: boolean; schema: Schema }>;
}
export interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Described> }>
  >;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Answered {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const checks = new Map<string, ContractCheck>();
const ERROR = '#/components/schemas/Error';

/** Like `expect`, at a hundredth of the cost, because each of tens of thousands of responses gets many checks. */
function demand(holds: boolean, otherwise: () => string): void {
  if (!holds) expect.fail(otherwise());
}

/** Checks responses against the OpenAPI document: documented status, and a body that fits its schema without further fields. */
export class ContractCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #fits = new Map<string, ValidateFunction>();
  readonly #patterns: readonly (readonly [string, RegExp])[];

  private constructor(private readonly document: OpenApi) {
    this.#patterns = Object.keys(document.paths).map((path) => [
      path,
      new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    ]);
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    const closed = structuredClone(document);
    // Error stays open: a problem (RFC 9457) has its fields and others.
    const { Error: _, ...schemas } = closed.components.schemas;
    for (const schema of Object.values(schemas)) {
      if (schema['type'] === 'object') schema['additionalProperties'] = false;
    }
    this.#ajv.addSchema(closed, 'openapi');
  }

  /** Services with the same document share its compiled schemas. */
  static of(document: string): ContractCheck {
    const check =
      checks.get(document) ?? new ContractCheck(resolvedDocument(JSON.parse(document) as OpenApi));
    checks.set(document, check);
    return check;
  }

  check(answer: Answered): void {
    const { pathname } = new URL(answer.target, 'http://service');
    if (!pathname.startsWith('/v1/')) return;
    const path = this.#pathOf(pathname.slice('/v1'.length));
    const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
    const operation = path && this.document.paths[path]?.[method];
    if (!operation) this.#checkUnrouted(answer);
    else this.#checkDescribed(answer, path, method, operation.responses[answer.status]);
  }

  #checkUnrouted(answer: Answered): void {
    if (answer.method === 'OPTIONS' && answer.status === 204) return;
    // A removed operation still responds with 410, and requires a key.
    demand(
      [401, 404, 405, 410].includes(answer.status),
      () =>
        `${answer.method} ${answer.target}: ${answer.status}, but the OpenAPI document does not have this operation. After a new route, run npm run document. ${answer.text}`,
    );
    if (answer.method !== 'HEAD') this.#checkBody(answer, ERROR);
  }

  #checkDescribed(answer: Answered, path: string, method: string, described: Described | undefined): void {
    demand(
      described !== undefined,
      () =>
        `${answer.status} is not described for ${method} ${path}: name the error in \`errors\` of the operation, or \`success\` as it is, and call npm run document. ${answer.text}`,
    );
    for (const [name, { required }] of Object.entries(described!.headers ?? {})) {
      demand(
        !required || answer.headers.has(name),
        () =>
          `${answer.status} has no header ${name}, which the document promises for ${method} ${path}: send it, or remove it from \`headers\` of the operation and run npm run document.`,
      );
    }
    if (answer.method === 'HEAD' || !described!.content) {
      demand(
        answer.text === '',
        () =>
          `${answer.status} has a body, but the document describes none for ${method} ${path}: name it as \`body\` in \`success\` of the operation and run npm run document, or return nothing. ${answer.text}`,
      );
      return;
    }
    const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? '';
    demand(
      Object.hasOwn(described!.content, mediaType),
      () =>
        `${answer.status} has a body of ${mediaType}, but the document describes another type for ${method} ${path}: describe this type in the operation and run npm run document, or send the other type.`,
    );
    if (!isJson(answer.headers)) return;
    const where = ['paths', path, method, 'responses', String(answer.status), 'content', mediaType, 'schema'];
    this.#checkBody(answer, `#/${where.map(pointer).join('/')}`);
    if (answer.status < 400) return;
    const { code } = JSON.parse(answer.text) as { code: string };
    const codes = Object.keys(described!.content['application/json']!.examples ?? {});
    demand(
      codes.includes(code),
      () =>
        `${answer.status} ${code} is not described for ${method} ${path}, only ${codes.join(', ')}: name it in \`errors\` of the operation, and call npm run document. ${answer.text}`,
    );
  }

  #checkBody({ text, status }: Answered, schema: string): void {
    const body: unknown = JSON.parse(text);
    const fits = this.#fit(schema);
    demand(
      fits(body),
      () =>
        `${status} does not fit the document: change the class of the body or what the handler returns, then run npm run document. ${this.#ajv.errorsText(fits.errors)}: ${text}`,
    );
    if (status >= 400)
      demand((body as { status: number }).status === status, () => `${status} says another status: ${text}`);
  }

  #fit(schema: string): ValidateFunction {
    let fits = this.#fits.get(schema);
    if (!fits)
      this.#fits.set(
        schema,
        (fits = this.#ajv.compile({ $ref: `openapi${schema}`, unevaluatedProperties: false })),
      );
    return fits;
  }

  /** The path in the document; undefined if there is none or if the path cannot be decoded. */
  #pathOf(pathname: string): string | undefined {
    if (!isDecodable(pathname)) return undefined;
    return this.#patterns.find(([, pattern]) => pattern.test(pathname))?.[0];
  }
}

/** Whether a response has a JSON body. */
export const isJson = (headers: Headers): boolean =>
  /^application\/(?:\w+\+)?json(?:;|$)/.test(headers.get('content-type') ?? '');

const isDecodable = (pathname: string): boolean => {
  try {
    return decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
};

const pointer = (token: string) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));
