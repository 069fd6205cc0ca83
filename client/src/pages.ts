import { unexpected } from './errors.js';
import { linked } from './links.js';
import { type CallOptions, readInteger } from './options.js';
import type { ApiPromise, ApiResponse } from './response.js';
import type { Query, Transport } from './transport.js';

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

export function fetchPage<T>(
  transport: Transport,
  operation: string,
  path: string,
  { status, pageSize, cursor, ...options }: ListOptions = {},
  filter: () => Query = () => ({}),
): ApiPromise<Page<T>> {
  return transport.send(
    () => {
      const limit = pageSize === undefined ? undefined : readInteger('pageSize', pageSize);
      return { operation, method: 'GET', path, query: { status, ...filter(), limit, cursor }, options };
    },
    readPage<T>,
  );
}

/** Fetches page after page. Each page is fetched when its first item is requested. */
export async function* fetchAll<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
  cursor: string | undefined,
): AsyncGenerator<T, void, undefined> {
  let next = cursor;
  do {
    const { items, nextCursor } = await page(next);
    yield* items;
    next = nextCursor;
  } while (next !== undefined);
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
