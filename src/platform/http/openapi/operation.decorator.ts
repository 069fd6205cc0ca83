import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';

/** Headers by name, with their descriptions; `required` ones are on every such answer. */
export type HeaderNotes = Readonly<
  Record<string, { readonly description: string; readonly required?: boolean }>
>;

/** The description of an operation: `@ApiOperation` and `@ApiResponse` of Nest in one. */
interface OperationNotes {
  /** The name of the operation, which never changes, because clients are generated from it. */
  readonly name: string;
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
    /** Operations that may follow, by name: where each of their parameters is in the answer, such as `$response.body#/id`. */
    readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** Describes an operation next to its code, so that the document is always current. */
export function Operation({ name, summary, description, success }: OperationNotes): MethodDecorator {
  const { body, listName, links = {} } = success;
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

/** A list of what the plural `nouns` says, newest first. */
export const ListOperation = (
  nouns: string,
  {
    description = 'Newest first (largest id first). The next page is in the `Link` header; the body is a bare array.',
    ...notes
  }: Pick<OperationNotes, 'name'> &
    Partial<Pick<OperationNotes, 'description'>> &
    Required<Pick<OperationNotes['success'], 'body' | 'listName'>> &
    Pick<OperationNotes['success'], 'links'>,
) =>
  Operation({
    name: notes.name,
    summary: `Lists ${nouns}.`,
    description,
    success: {
      status: 200,
      description: `The list of ${nouns}; empty when nothing matches.`,
      body: notes.body,
      listName: notes.listName,
      headers: {
        Link: { description: 'The `next` page, absent on the last one, and the `first`.', required: true },
      },
      ...(notes.links && { links: notes.links }),
    },
  });

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
