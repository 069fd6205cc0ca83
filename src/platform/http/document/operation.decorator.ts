import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { described, type HeaderNotes } from './headers.js';
import { Refuses } from './refuses.decorator.js';

/** What every operation may answer with, whatever it does. */
const COMMON = [
  'missing_api_key',
  'invalid_api_key',
  'request_timeout',
  'uri_too_long',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'timeout',
  'database_unavailable',
];

/** What the document says of an operation. What it refuses, the decorators beside it say: `@Refuses` and those that use it. */
interface OperationNotes {
  /** The operation's name, the same for all time: clients are generated from it. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly body: Type;
    /** Answers with a list of `body`; this is the list's own name. */
    readonly listName?: string;
    readonly headers?: HeaderNotes;
  };
}

/** Describes an operation where it is written, so that the document never lags behind. */
export function Operation({ name, summary, description, success }: OperationNotes): MethodDecorator {
  const { body, listName } = success;
  return applyDecorators(
    ApiOperation({ operationId: name, summary, description }),
    ApiExtraModels(body),
    ApiResponse({
      status: success.status,
      description: success.description,
      headers: described(success.headers ?? {}),
      schema: listName ? { $ref: `#/components/schemas/${listName}` } : { $ref: getSchemaPath(body) },
    }),
    ...(listName ? [NamedList(listName, body)] : []),
    Refuses(...COMMON),
  );
}

/** The lists that have a name of their own in the document, by that name. */
export const namedLists = new Map<string, Type>();

function NamedList(name: string, item: Type): MethodDecorator {
  return () => void namedLists.set(name, item);
}
