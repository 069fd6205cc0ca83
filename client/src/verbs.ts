import type { paths } from './api-types.js';
import type { Json } from './json.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey } from './options.js';
import type { ApiPromise } from './response.js';
import type { ApiRequest, Query, Transport } from './transport.js';

export interface WithQuery {
  /** Parameters of the query, as an addition to those in the path; those that are undefined are left out. */
  readonly query?: Query | undefined;
}

type Method = ApiRequest['method'];

/** `/pets/${bigint}` of `/pets/{petId}`: ids are int64. */
type Filled<Template extends string> = Template extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${bigint}${Filled<End>}`
  : Template;

/** What the OpenAPI document says of a path; never if it does not have it. */
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

/** The body that a path takes; anything if the OpenAPI document does not have it. */
export type BodyOf<M extends Method, Path extends string> = OrUnknown<Asked<Operation<M, Path>>>;
/** What a path answers with; unknown if the OpenAPI document does not have it. */
export type ResultOf<M extends Method, Path extends string> = OrUnknown<Answered<Operation<M, Path>>>;

/**
 * Gets what is at a path below `baseUrl`, for what has no function of its own. A list is a bare array; the `Link` header of the
 * answer (`withResponse()`) has its next page.
 */
export function get<Path extends string>(
  transport: Transport,
  path: Path,
  { query, ...options }: CallOptions & WithQuery = {},
): ApiPromise<ResultOf<'GET', Path>> {
  return send(transport, 'GET', path, () => ({ query, options }));
}

/** Posts with an `Idempotency-Key`, and so again where that helps; with `maxTries: 1` where the service does not heed the key. */
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

/** Changes what is at a path; not sent again where it may have arrived. */
export function patch<Path extends string>(
  transport: Transport,
  path: Path,
  body: BodyOf<'PATCH', Path>,
  { query, ...options }: CallOptions & WithQuery = {},
): ApiPromise<ResultOf<'PATCH', Path>> {
  return send(transport, 'PATCH', path, () => ({ query, body: body as Json, options }));
}

/** Deletes what is at a path. Sent again where that helps, so a 404 may mean that an earlier try did it. */
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
