import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  type ApiError,
  ApiErrors,
  RequireScope,
  Stability,
  type StabilityLevel,
} from '../route.decorators.js';

/** Headers by name, with their descriptions; `required` ones are on every such answer. */
export type HeaderNotes = Readonly<
  Record<string, { readonly description: string; readonly required?: boolean }>
>;

/** What every operation says of itself. */
interface Declaration {
  /** The name of the operation, which never changes, because clients are generated from it. */
  readonly name: string;
  /** As for `@RequireScope`. */
  readonly scope?: string;
  /** As for `@ApiErrors`. */
  readonly errors?: readonly ApiError[];
  /** Absent if clients may rely on it. */
  readonly stability?: StabilityLevel;
}

/** Operations that may follow, by name: where each of their parameters is in the answer, such as `$response.body#/id`. */
type Links = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An operation: `@RequireScope`, `@ApiErrors`, and `@ApiOperation` and `@ApiResponse` of Nest in one. */
interface OperationNotes extends Declaration {
  readonly summary: string;
  readonly description: string;
  readonly success: {
    /** The status of every answer that is not an error. */
    readonly status: number;
    readonly description: string;
    /** Absent if there is no body, as with 204. */
    readonly body?: Type;
    /** If set, the answer is a list of `body`, and this is the list's name. */
    readonly listName?: string;
    readonly headers?: HeaderNotes;
    readonly links?: Links;
  };
}

/** Declares an operation, for the service and for the document. */
export function Operation(operation: OperationNotes): MethodDecorator {
  const { name, scope, errors = [], stability, summary, description, success } = operation;
  const { body, listName, links = {} } = success;
  const schema = listName
    ? { $ref: `#/components/schemas/${listName}` }
    : body && { $ref: getSchemaPath(body) };
  return applyDecorators(
    ...(stability ? [Stability(stability)] : []),
    ...(scope ? [RequireScope(scope)] : []),
    ApiErrors(...errors),
    HttpCode(success.status),
    ApiOperation({ operationId: name, summary, description }),
    ...(body ? [ApiExtraModels(body)] : []),
    ApiResponse({
      status: success.status,
      description: success.description,
      headers: toHeaderObjects(success.headers ?? {}),
      links: Object.fromEntries(
        Object.entries(links).map(([operationId, parameters]) => [operationId, { operationId, parameters }]),
      ),
      ...(schema && { schema }),
    }),
    ...(listName && body
      ? [SetMetadata(NAMED_LIST, { name: listName, item: body } satisfies NamedList)]
      : []),
  );
}

/** What an operation with a usual answer says besides. */
interface Usual extends Declaration {
  readonly description?: string;
  readonly body: Type;
  readonly links?: Links;
}

/** Lists what the plural `nouns` says, newest first. */
export function ListOperation(
  nouns: string,
  {
    description = 'Newest first (largest id first). The next page is in the `Link` header; the body is a bare array.',
    body,
    listName,
    links = {},
    ...declaration
  }: Usual & { readonly listName: string },
): MethodDecorator {
  const headers = {
    Link: { description: 'The `next` page, absent on the last one, and the `first`.', required: true },
  };
  return Operation({
    ...declaration,
    summary: `Lists ${nouns}.`,
    description,
    success: {
      status: 200,
      description: `The list of ${nouns}; empty when nothing matches.`,
      body,
      listName,
      headers,
      links,
    },
  });
}

/** Adds what `noun` says. Its answer says where it is, and is safe to ask for again. */
export function CreateOperation(
  noun: string,
  {
    description = 'Unknown fields are rejected.',
    location = `The address of the new ${noun}.`,
    body,
    links = {},
    ...declaration
  }: Usual & { readonly location?: string },
): MethodDecorator {
  const headers = {
    Location: { description: location },
    'Idempotency-Replayed': { description: '`true` when this is the answer to an earlier try.' },
  };
  const added = `${noun[0]!.toUpperCase()}${noun.slice(1)} added; the body carries the assigned \`id\`.`;
  return Operation({
    ...declaration,
    summary: `Adds a new ${noun}.`,
    description,
    success: { status: 201, description: added, body, headers, links },
  });
}

export function toHeaderObjects(headers: HeaderNotes) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, required }]) => [
      name,
      { description, ...(required && { required }), schema: { type: 'string' as const } },
    ]),
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

/** Adds a tag to the operations of a controller, as `@ApiTags`, with a description. */
export function DescribedTag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description } satisfies Tag));
}
