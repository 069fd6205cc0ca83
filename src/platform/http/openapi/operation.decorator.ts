import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiTags } from '@nestjs/swagger';
import * as route from '../routes/route.decorators.js';

export const SUCCESS = Symbol('success');
export const TAG = Symbol('tag');

/** The successful response of an operation. */
export interface Success {
  readonly status: number;
  readonly description: string;
  /** The class of a JSON body. Absent if the response does not have one, as with 204. */
  readonly body?: Type;
  /** The media types of a body that is not JSON, such as `{ 'application/pdf': {} }`, each with a schema if there is one. */
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  /** The name of the list, if the response is a list of `body`. */
  readonly listName?: string;
  readonly headers?: route.HeaderNotes;
  /** Operations that may follow, by name. Each of their parameters has its place in the response, such as `$response.body#/id`. */
  readonly links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface OperationNotes {
  /** The name of the operation. It never changes, because clients are generated from it. */
  readonly name: string;
  /** Absent if the operation is public, or only for keys without restriction. */
  readonly scope?: string;
  readonly errors?: readonly route.ApiError[];
  /** Absent if the operation is stable. */
  readonly stability?: route.StabilityLevel;
  readonly summary: string;
  readonly description: string;
  /** Replaces `description` for agents, which do not send HTTP requests themselves. */
  readonly agentDescription?: string | undefined;
  readonly success: Success;
}

/** Declares an operation for the service and for the OpenAPI document, with Nest's `@ApiOperation`. */
export function Operation(notes: OperationNotes) {
  const { name, scope, errors = [], stability, success, agentDescription, ...texts } = notes;
  return applyDecorators(
    ...(agentDescription === undefined ? [] : [ApiExtension('x-agent-description', agentDescription)]),
    ...(stability ? [route.Stability(stability)] : []),
    ...(scope === undefined ? [] : [route.RequireScope(scope)]),
    route.ApiErrors(...errors),
    HttpCode(success.status),
    ApiOperation({ operationId: name, ...texts }),
    SetMetadata(SUCCESS, success),
  );
}

/** The notes on an operation with a usual response. */
interface Usual extends Omit<OperationNotes, 'summary' | 'description' | 'success'>, Pick<Success, 'links'> {
  readonly summary?: string;
  readonly description?: string;
  readonly body: Type;
}

/** Declares a list, newest first. `nouns` is the plural of its items. `isSortable` says whether the query has `sort`. */
export function ListOperation(
  nouns: string,
  notes: Usual & { readonly listName: string; readonly isSortable?: boolean },
) {
  const { isSortable = false, ...described } = notes;
  const order = `The newest comes first (the largest id)${isSortable ? ', unless `sort` says otherwise' : ''}.`;
  const {
    summary = `Lists ${nouns}.`,
    description = `${order} The body is an array. The \`Link\` header has the URL of the next page.`,
    body,
    listName,
    links = {},
    ...declaration
  } = described;
  const forAgents = `${order} The result is one page. If there are more pages, it names the cursor of the next one.`;
  const agentDescription = notes.description === undefined ? forAgents : undefined;
  const answer = `The list of ${nouns}. It is empty if nothing matches.`;
  const headers = {
    Link: {
      description: 'The URLs of the `next` page and of the `first` page. The last page has no `next`.',
      required: true,
    },
  };
  const success = { status: 200, description: answer, body, listName, headers, links };
  return Operation({ agentDescription, ...declaration, summary, description, success });
}

/** Declares the creation of a `noun`. The response has its URL, and a client can safely send the request again. */
export function CreateOperation(noun: string, notes: Usual & { readonly location?: string }) {
  const { location = `The URL of the new ${noun}.`, body, links = {}, ...declaration } = notes;
  const { summary = `Adds a new ${noun}.`, description = 'Unknown fields are rejected.' } = notes;
  const answer = `The ${noun} is added. The body has its new \`id\`.`;
  const headers = {
    Location: { description: location },
    'Idempotency-Replayed': {
      description: '`true` if the response is the stored response of an earlier try.',
    },
  };
  const success = { status: 201, description: answer, body, headers, links };
  return Operation({ ...declaration, summary, description, success });
}

/** Adds a tag with a description to the operations of a controller. */
export const DescribedTag = (name: string, description: string) =>
  applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description }));
