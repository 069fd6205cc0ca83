import type { components } from './api-types.js';
import type { Answer } from './answer.js';
import { readJson } from './json.js';
import { retryAfterOf } from './retry-after.js';

/** One problem of a body or a query: `field` is a JSON pointer (`/name`), or `query.` and a name. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

interface Facts {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/** The service answered, but not with what was asked for. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  /**
   * For programs: a code of the service's documentation. Or one of the client's own, `unexpected_answer` if the answer is
   * none that the service gives, `foreign_link` if it leads to another origin.
   */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Every problem of a body or a query; empty on other errors. */
  readonly details: readonly ErrorDetail[];
  /** What the service's operator finds the request by, if the service has told. */
  readonly requestId: string | undefined;
  /** After how many seconds a further try makes sense, if the service has told. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, details = [] }: Facts, answer: Answer, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = answer.status;
    this.details = details;
    this.requestId = answer.headers.get('x-request-id') ?? undefined;
    this.retryAfter = retryAfterOf(answer.headers);
  }
}

/** No answer came, at the last try neither. `cause` is what the last try failed with. */
export class PetStoreUnreachable extends Error {
  override readonly name = 'PetStoreUnreachable';
  /** How often it was tried. */
  readonly tries: number;

  constructor(address: URL, tries: number, cause: unknown) {
    super(`${address.origin} did not answer, tries: ${tries}.`, { cause });
    this.tries = tries;
  }
}

/** The error that an answer of the service tells. */
export function errorIn(answer: Answer): PetStoreError {
  const facts = factsIn(answer);
  return facts
    ? new PetStoreError(facts, answer)
    : unexpected(answer, `an error that is not the service's own`);
}

/** The `code` of an error; undefined if it is not the service's own. */
export const codeIn = (answer: Answer): string | undefined => factsIn(answer)?.code;

/** An answer that the service would not give: from something in between, or from another service. */
export function unexpected(answer: Answer, what: string, cause?: unknown): PetStoreError {
  const message = `${answer.url.origin} answered ${answer.status} with ${what}.`;
  return new PetStoreError({ code: 'unexpected_answer', message }, answer, { cause });
}

function factsIn({ text }: Answer): Facts | undefined {
  try {
    const body = readJson(text) as Partial<Facts> | null;
    if (typeof body?.code !== 'string' || typeof body.message !== 'string') return undefined;
    const details = Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [];
    return { code: body.code, message: body.message, details };
  } catch {
    return undefined;
  }
}
