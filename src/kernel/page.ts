import { Int64 } from './int64.js';

/** A page of a list, newest first. `next` is the id after which the list goes on; absent at its end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: Int64;
}

/** Cuts a page of `limit` out of what a repository found when it was asked for one item more than that. */
export function pageOf<Item extends { readonly id: Int64 }>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  if (found.length <= limit) return { items: found };
  const items = found.slice(0, limit);
  return { items, next: items.at(-1)?.id };
}

/** The largest id that a page may hold. Ids are positive. */
export function newestOf({ before }: Pick<Selection<never>, 'before'>): Int64 {
  if (before === undefined) return Int64.MAX;
  return before > 0n ? before - 1n : 0n;
}

/** Which page of a list to read, newest (largest id) first. */
export interface Selection<Status> {
  /** Absent: of every status. */
  readonly status?: Status;
  /** Only what has a smaller id; absent: from the newest on. */
  readonly before?: Int64;
  readonly limit: number;
}
