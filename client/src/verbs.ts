import type { paths } from './api-types.js';
import type { Json } from './json.js';
import { type CallOptions, type CreateOptions, readIdempotencyKey, readOptions } from './options.js';
import { fetchPage, type List, listOf, type Page, withCursor } from './pages.js';
import type { ApiPromise } from './response.js';
import type { ApiRequest, Query, Transport } from './transport.js';

export interface WithQuery {
  /**
   * Parameters of the query, in addition to parameters in the path. Undefined and null ones are left out. A parameter with a list
   * is repeated for each item.
   */
  readonly query?: Query | undefined;
}

/** The options of a list by its path. The types of the query come from the OpenAPI document. */
export interface PathListOptions<Path extends string> extends CallOptions {
  /** Filters, the size of a page (`limit`), and where to begin (`cursor`). */
  readonly query?: QueryOf<'GET', Path> | undefined;
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

/** The items of a list: unknown if the OpenAPI document lacks the path, and never if the path has no list. */
export type ItemOf<Path extends string> =
  unknown extends ResultOf<'GET', Path>
    ? unknown
    : ResultOf<'GET', Path> extends readonly (infer Item)[]
      ? Item
      : never;

type Queried<O> = O extends { parameters: { query?: infer Data } } ? NonNullable<Data> : never;
/** A parameter with a list may have one item alone. */
type Parameter<Value> = Value extends readonly (infer Item)[] ? Item | readonly Item[] : Value;
type OrQuery<Data> = [Data] extends [never]
  ? Query
  : { readonly [Name in keyof Data]: Parameter<Data[Name]> | null | undefined };

/** The query of a path; any {@link Query} if the OpenAPI document lacks the path. */
export type QueryOf<M extends Method, Path extends string> = OrQuery<Queried<Operation<M, Path>>>;

/**
 * A list below `baseUrl`, for lists without a function of their own. Pages are fetched as by `listPets`. The `query` has the
 * parameters that the OpenAPI document names.
 */
export function list<Path extends string>(
  transport: Transport,
  path: Path,
  options?: PathListOptions<Path>,
): List<ItemOf<Path>> {
  return listOf((cursor) => {
    const query = withCursor(options?.query, cursor);
    return listPage(transport, path, cursor === undefined ? options : { ...options, query });
  });
}

/** One page of a list below `baseUrl`, and the cursor of the next page, to send as `cursor` in the `query`. */
export function listPage<Path extends string>(
  transport: Transport,
  path: Path,
  options?: PathListOptions<Path>,
): ApiPromise<Page<ItemOf<Path>>> {
  return fetchPage(transport, () => request('GET', path, options as CallOptions & WithQuery));
}

/** Gets a resource below `baseUrl`, for operations without a function of their own. */
export function get<Path extends string>(
  transport: Transport,
  path: Path,
  options?: CallOptions & WithQuery,
): ApiPromise<ResultOf<'GET', Path>> {
  return transport.send(() => request('GET', path, options), asIs<ResultOf<'GET', Path>>);
}

/**
 * Posts with an `Idempotency-Key`, and repeats the request if that helps. If the operation ignores the key, set `maxTries: 1`.
 */
export function post<Path extends string>(
  transport: Transport,
  path: Path,
  body?: BodyOf<'POST', Path>,
  options?: CreateOptions & WithQuery,
): ApiPromise<ResultOf<'POST', Path>> {
  return transport.send(
    () => {
      const { idempotencyKey: key, ...others } = readOptions(options, operationOf('POST', path));
      const idempotencyKey = readIdempotencyKey(key);
      return { ...request('POST', path, others), body: body as Json, idempotencyKey };
    },
    asIs<ResultOf<'POST', Path>>,
  );
}

/** Changes a resource. The request is not repeated if it may have arrived. */
export function patch<Path extends string>(
  transport: Transport,
  path: Path,
  body: BodyOf<'PATCH', Path>,
  options?: CallOptions & WithQuery,
): ApiPromise<ResultOf<'PATCH', Path>> {
  return transport.send(
    () => ({ ...request('PATCH', path, options), body: body as Json }),
    asIs<ResultOf<'PATCH', Path>>,
  );
}

/** Deletes a resource. The request is repeated if that helps, so a 404 may mean that an earlier try has deleted it. */
export function del<Path extends string>(
  transport: Transport,
  path: Path,
  options?: CallOptions & WithQuery,
): ApiPromise<ResultOf<'DELETE', Path>> {
  return transport.send(() => request('DELETE', path, options), asIs<ResultOf<'DELETE', Path>>);
}

function request(
  method: Method,
  path: string,
  given: (CallOptions & WithQuery) | null | undefined,
): ApiRequest {
  const operation = operationOf(method, path);
  const { query, ...options } = readOptions(given, operation);
  return { operation, method, path, query, options };
}

/** The name of an operation in the log: its method, and its path without a query and with `{id}` in place of each id. */
function operationOf(method: Method, path: string): string {
  const name = String(path)
    .replace(/\?.*$/s, '')
    .replace(/\/-?\d+(?=\/|$)/g, '/{id}');
  return `${method} ${name}`;
}

const asIs = <T>(data: unknown) => data as T;
