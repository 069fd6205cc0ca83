import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type HeaderNotes, toHeaderObjects } from './headers.js';

/** What the document says of an operation: Nest's own `@ApiOperation` and `@ApiResponse` in one. */
interface OperationNotes {
  /** The operation's name, the same for all time: clients are generated from it. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly success: {
    /** The status of every answer but errors. */
    readonly status: number;
    readonly description: string;
    /** Absent where there is none, as with 204. */
    readonly body?: Type;
    /** Answers with a list of `body`; this is the list's own name. */
    readonly listName?: string;
    readonly headers?: HeaderNotes;
  };
}

/** Describes an operation where it is written, so that the document never lags behind. */
export function Operation({ name, summary, description, success }: OperationNotes): MethodDecorator {
  const { body, listName } = success;
  const schema = listName
    ? { $ref: `#/components/schemas/${listName}` }
    : body && { $ref: getSchemaPath(body) };
  return applyDecorators(
    HttpCode(success.status),
    ApiOperation({ operationId: name, summary, description }),
    ...(body ? [ApiExtraModels(body)] : []),
    ApiResponse({
      status: success.status,
      description: success.description,
      headers: toHeaderObjects(success.headers ?? {}),
      ...(schema && { schema }),
    }),
    ...(listName && body
      ? [SetMetadata(NAMED_LIST, { name: listName, item: body } satisfies NamedList)]
      : []),
  );
}

export const NAMED_LIST = Symbol('named list');

export interface NamedList {
  readonly name: string;
  readonly item: Type;
}

export const TAG = Symbol('tag');

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Puts the operations of a controller under a tag: Nest's own `@ApiTags`, and what the document says of it. */
export function DescribedTag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description } satisfies Tag));
}
