import { unexpected } from './errors.js';
import { linked } from './links.js';
import { type CallOptions, readInteger } from './options.js';
import type { ApiPromise, ApiResponse } from './response.js';
import type { Query, Transport } from './transport.js';

export interface ListOptions<Status extends string = string> extends CallOptions {
  /** Only what has this status; all if left out. */
  readonly status?: Status | undefined;
  /** How many are fetched at a time, 1 to 100; the service decides if left out. */
  readonly pageSize?: number | undefined;
  /** Where to begin: the `nextCursor` of a page with the same filters; at the start if left out. */
  readonly cursor?: string | undefined;
}

/** A part of a list. */
export interface Page<T> {
  readonly items: T[];
  /** Where the next page begins; undefined on the last one. */
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

/** Page after page, each when its first item is asked for. */
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

/** Only the cursor is taken from the link: the client, and its key, stay at the address that they were given. */
function readPage<T>(data: unknown, response: ApiResponse): Page<T> {
  const next = linked(response, 'next');
  const nextCursor = next?.searchParams.get('cursor') ?? undefined;
  // The service sets `Link` on the last page too. Where it does not arrive the list would seem to end here.
  if (!Array.isArray(data) || !response.headers.has('link') || (next && !nextCursor))
    throw unexpected(response, 'no page of a list');
  return { items: data as T[], nextCursor };
}
