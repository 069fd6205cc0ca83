import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorBody } from './error-body.dto.js';

type Headers = Readonly<Record<string, string>>;

/** What the document says of an operation. */
interface OperationNotes {
  /** The operation's name, the same for all time: clients are generated from it. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly body: Type;
    /** Answers with a list of `body`; this is the list's own name. */
    readonly listName?: string;
    /** Headers by name, each with what it means. */
    readonly headers?: Headers;
  };
  /** Why it may refuse, by status; what every operation may answer is added. */
  readonly refusals?: Readonly<Record<number, string>>;
}

const ALWAYS: Readonly<Record<number, string>> = {
  401: 'Missing or invalid API key.',
  429: 'The rate of the API key, where it has one, is used up. Try again after the time in `Retry-After`.',
  500: 'A fault of the service.',
  503: 'The service or its database cannot work at the moment. Try again after the time in `Retry-After`.',
};

const HEADERS_OF: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': 'How to authenticate (RFC 6750 section 3).' },
  429: {
    'Retry-After': 'Seconds to wait before the next try.',
    RateLimit: 'What is left of the rate, and for how long (draft-ietf-httpapi-ratelimit-headers-10).',
    'RateLimit-Policy': 'The rate.',
  },
  503: { 'Retry-After': 'Seconds to wait before the next try.' },
};

/** Describes an operation where it is written, so that the document never lags behind. */
export function Operation({
  name,
  summary,
  description,
  success,
  refusals,
}: OperationNotes): MethodDecorator {
  const { body, listName } = success;
  const refused = Object.entries({ ...refusals, ...ALWAYS }).map(([status, reason]) =>
    ApiResponse({
      status: Number(status),
      description: reason,
      type: ErrorBody,
      headers: described(HEADERS_OF[Number(status)]),
    }),
  );
  return applyDecorators(
    ApiOperation({ operationId: name, summary, ...(description && { description }) }),
    ApiExtraModels(body),
    ApiResponse({
      status: success.status,
      description: success.description,
      headers: described(success.headers),
      schema: listName ? { $ref: `#/components/schemas/${listName}` } : { $ref: getSchemaPath(body) },
    }),
    ...(listName ? [NamedList(listName, body)] : []),
    ...refused,
  );
}

const described = (headers: Headers = {}) =>
  Object.fromEntries(
    Object.entries(headers).map(([header, description]) => [
      header,
      { description, schema: { type: 'string' } },
    ]),
  );

/** The lists that have a name of their own in the document, by that name. */
export const namedLists = new Map<string, Type>();

function NamedList(name: string, item: Type): MethodDecorator {
  return () => void namedLists.set(name, item);
}
