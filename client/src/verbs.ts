import type { paths } from './api-types.js';
import type { Json } from './json.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey } from './options.js';
import type { ApiPromise } from './response.js';
import type { ApiRequest, Query, Transport } from './transport.js';

export interface WithQuery {
  /** Parameters of the query, in addition to parameters in the path. Undefined ones are left out. */
  readonly query?: Query | undefined;
}

type Method = ApiRequest['method'];

/** For example `/pets/${bigint}` for `/pets/{petId}`, because ids are int64. */
type Filled<Template extends string> = Template extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${bigint}${Filled<End>}`
  : Template;

/** The operation of a path in the OpenAPI document; never if the document lacks it. */
type Operation<M extends Method, Path extends string> = {
  [Template in keyof paths]: Path extends Filled<Template> ? paths[Template][Lowercase<M>] : never;
}[keyof paths];

interface WithJson<Data> {
  content: { 'application/json': Data };
}
type OrUnknown<Data> = [Data] extends [never] ? unknown : Data;
type Asked<O> = O extends { requestBody: WithJson<infer Data> } ? Data : never;
type Answered<O> = O extends { responses: { 200: WithJson<infer Data> } | { 201: WithJson<infer Data> } }
  ? Data
  : never;

/** The body that a path requires; anything if the OpenAPI document lacks the path. */
export type BodyOf<M extends Method, Path extends string> = OrUnknown<Asked<Operation<M, Path>>>;
/** The body of the response; unknown if the OpenAPI document lacks the path. */
export type ResultOf<M extends Method, Path extends string> = OrUnknown<Answered<Operation<M, Path>>>;

/**
 * Gets a resource below `baseUrl`, for operations without a function of their own. A list is a bare array. The `Link` header of
 * the response (`withResponse()`) contains its next page.
 */
export function get<Path extends string>(
  transport: Transport,
  path: Path,
  { query, ...options }: CallOptions & WithQuery = {},
): ApiPromise<ResultOf<'GET', Path>> {
  return send(transport, 'GET', path, () => ({ query, options }));
}

/**
 * Posts with an `Idempotency-Key`, and repeats the request if that helps. If the operation ignores the key, set `maxTries: 1`.
 */
export function post<Path extends string>(
  transport: Transport,
  path: Path,
  body?: BodyOf<'POST', Path>,
  { query, idempotencyKey, ...options }: CreateOptions & WithQuery = {},
): ApiPromise<ResultOf<'POST', Path>> {
  return send(transport, 'POST', path, () => ({
    query,
    body: body as Json,
    idempotencyKey: readIdempotencyKey(idempotencyKey),
    options,
  }));
}

/** Changes a resource. The request is not repeated if it may have arrived. */
export function patch<Path extends string>(
  transport: Transport,
  path: Path,
  body: BodyOf<'PATCH', Path>,
  { query, ...options }: CallOptions & WithQuery = {},
): ApiPromise<ResultOf<'PATCH', Path>> {
  return send(transport, 'PATCH', path, () => ({ query, body: body as Json, options }));
}

/** Deletes a resource. The request is repeated if that helps, so a 404 may mean that an earlier try has deleted it. */
export function del<Path extends string>(
  transport: Transport,
  path: Path,
  { query, ...options }: CallOptions & WithQuery = {},
): ApiPromise<ResultOf<'DELETE', Path>> {
  return send(transport, 'DELETE', path, () => ({ query, options }));
}

function send<T>(
  transport: Transport,
  method: Method,
  path: string,
  build: () => Omit<ApiRequest, 'operation' | 'method' | 'path'>,
): ApiPromise<T> {
  const operation = `${method} ${String(path)
    .replace(/\?.*$/s, '')
    .replace(/\/-?\d+(?=\/|$)/g, '/{id}')}`;
  return transport.send(
    () => ({ operation, method, path, ...build() }),
    (data) => data as T,
  );
}
