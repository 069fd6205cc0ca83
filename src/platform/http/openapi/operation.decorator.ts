import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import * as route from '../route.decorators.js';

export const SUCCESS = Symbol('success');
export const TAG = Symbol('tag');

/** Headers by name, with their descriptions; `required` ones are on every such answer. */
export type HeaderNotes = Readonly<Record<string, { description: string; required?: boolean }>>;

/** Every answer of an operation that is not an error. */
export interface Success {
  readonly status: number;
  readonly description: string;
  /** Absent if there is no body, as with 204. */
  readonly body?: Type;
  /** If set, the answer is a list of `body`, and this is the list's name. */
  readonly listName?: string;
  readonly headers?: HeaderNotes;
  /** Operations that may follow, by name: where each of their parameters is in the answer, such as `$response.body#/id`. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface OperationNotes {
  /** The name of the operation, which never changes, because clients are generated from it. */
  readonly name: string;
  /** Absent if the operation is for keys without restriction, or public. */
  readonly scope?: string;
  readonly errors?: readonly route.ApiError[];
  /** Absent if clients may rely on it. */
  readonly stability?: route.StabilityLevel;
  readonly summary: string;
  readonly description: string;
  readonly success: Success;
}

/** Declares an operation, for the service and for the document: what is around the handler, and Nest's `@ApiOperation`. */
export function Operation({ name, scope, errors = [], stability, success, ...texts }: OperationNotes) {
  return applyDecorators(
    ...(stability ? [route.Stability(stability)] : []),
    ...(scope === undefined ? [] : [route.RequireScope(scope)]),
    route.ApiErrors(...errors),
    HttpCode(success.status),
    ApiOperation({ operationId: name, ...texts }),
    SetMetadata(SUCCESS, success),
  );
}

/** What an operation with a usual answer says besides. */
interface Usual extends Omit<OperationNotes, 'summary' | 'description' | 'success'>, Pick<Success, 'links'> {
  readonly description?: string;
  readonly body: Type;
}

const NEWEST_FIRST =
  'The newest comes first (the largest id). The body is an array. The `Link` header has the URL of the next page.';

/** Lists what the plural `nouns` says, newest first. */
export function ListOperation(nouns: string, notes: Usual & { readonly listName: string }) {
  const { description = NEWEST_FIRST, body, listName, links = {}, ...declaration } = notes;
  const answer = `The list of ${nouns}. It is empty if nothing matches.`;
  const headers = {
    Link: {
      description: 'The URLs of the `next` page and of the `first` page. The last page has no `next`.',
      required: true,
    },
  };
  const success = { status: 200, description: answer, body, listName, headers, links };
  return Operation({ ...declaration, summary: `Lists ${nouns}.`, description, success });
}

/** Adds what `noun` says. Its answer says where it is, and is safe to ask for again. */
export function CreateOperation(noun: string, notes: Usual & { readonly location?: string }) {
  const { location = `The URL of the new ${noun}.`, body, links = {}, ...declaration } = notes;
  const { description = 'Unknown fields are rejected.' } = notes;
  const answer = `The ${noun} is added. The body has its new \`id\`.`;
  const headers = {
    Location: { description: location },
    'Idempotency-Replayed': {
      description: '`true` if the response is the stored response of an earlier try.',
    },
  };
  const success = { status: 201, description: answer, body, headers, links };
  return Operation({ ...declaration, summary: `Adds a new ${noun}.`, description, success });
}

/** Adds a tag to the operations of a controller, as `@ApiTags`, with a description. */
export const DescribedTag = (name: string, description: string) =>
  applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description }));
