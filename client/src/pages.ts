import { unexpected } from './errors.js';
import { linked } from './links.js';
import { type CallOptions, inRange, isGiven, readInteger, readOptions, refuseUnknown } from './options.js';
import type { ApiPromise, ApiResponse } from './response.js';
import type { ApiRequest, Query, Transport } from './transport.js';

export interface ListOptions<Status extends string = string> extends CallOptions {
  /** Only items with this status. If left out, all. */
  readonly status?: Status | undefined;
  /** The number of items of a page, 1 to 100. If left out, the service decides. */
  readonly pageSize?: number | undefined;
  /** Where to begin: the `nextCursor` of a page with the same filters. If left out, at the start. */
  readonly cursor?: string | undefined;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Where the next page begins; undefined on the last page. */
  readonly nextCursor: string | undefined;
}

export interface ToArrayOptions {
  /** The most items that the array may have. If left out, it has all items of the list. */
  readonly limit?: number | undefined;
}

/**
 * A list, whose pages are fetched while it is read. Each `for await` reads it from its start. Only a `for await` after `next()`
 * continues where `next()` was.
 */
export interface List<T> extends AsyncGenerator<T, void, undefined> {
  /** The items in an array, as a loop would read them. It fetches only the pages that it needs. */
  toArray(options?: ToArrayOptions): Promise<T[]>;
}

/** The request for a page of a list that has the options of all lists, and filters of its own. */
export function pageRequest(
  operation: string,
  path: string,
  { status, pageSize, cursor, ...options }: ListOptions,
  filters: Query,
): ApiRequest {
  const limit = isGiven(pageSize) ? readInteger('pageSize', pageSize) : undefined;
  return { operation, method: 'GET', path, query: { status, ...filters, limit, cursor }, options };
}

export function fetchPage<T>(transport: Transport, build: () => ApiRequest): ApiPromise<Page<T>> {
  return transport.send(build, readPage<T>);
}

/**
 * A list is a generator, which `next()` and the first loop read. So a loop continues after `next()`. Each further loop has a
 * generator of its own, because a generator can be read only once.
 * @param page fetches the page that begins at a cursor, or at the start of the list if there is none
 */
export function listOf<T>(page: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  let isOwnTaken = false;
  async function* readOnce(): AsyncGenerator<T, void, undefined> {
    try {
      yield* fetchAll(page);
    } finally {
      isOwnTaken = true;
    }
  }
  const list: List<T> = Object.assign(readOnce(), {
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
      if (isOwnTaken) return fetchAll(page);
      isOwnTaken = true;
      return list;
    },
    toArray: (options?: ToArrayOptions) => toArray(list, options),
  });
  return list;
}

/** The options or the query of a page. The first page has what the caller gave, unread. */
export const withCursor = <Given>(given: Given, cursor: string | undefined) =>
  cursor === undefined ? given : { ...given, cursor };

/** Fetches page after page. Each page is fetched when its first item is requested. */
async function* fetchAll<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let next: string | undefined;
  do {
    const { items, nextCursor } = await page(next);
    yield* items;
    next = nextCursor;
  } while (next !== undefined);
}

async function toArray<T>(list: List<T>, given: ToArrayOptions | undefined): Promise<T[]> {
  const options = readOptions(given, 'toArray', '{ limit: 100 }');
  refuseUnknown(options, 'toArray', ['limit']);
  const limit = inRange('limit', options.limit ?? Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER);
  const items: T[] = [];
  if (limit === 0) return items;
  for await (const item of list) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
}

/** Reads only the cursor from the link, so that the client never sends its key to another URL. */
function readPage<T>(data: unknown, response: ApiResponse): Page<T> {
  const next = linked(response, 'next');
  const nextCursor = next?.searchParams.get('cursor') ?? undefined;
  // The service sets `Link` on every page, also on the last one. If a proxy removed it, the list would seem to end here.
  if (!Array.isArray(data) || !response.headers.has('link') || (next && !nextCursor))
    throw unexpected(response, 'no page of a list');
  return { items: data as T[], nextCursor };
}
