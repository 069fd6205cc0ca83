import { Int64 } from './int64.js';

/** What a list may be sorted by; null comes before all else. */
export type SortValue = Int64 | number | string | Date | null;

/** The order of a list: by one property, and by id where that is equal, both in the same direction. */
export interface Sort {
  /** The property, `id` too. */
  readonly by: string;
  readonly descending: boolean;
}

/** An item of a list as its order sees it. */
export interface Position {
  readonly id: Int64;
  /** What the item has in the property that the list is sorted by; absent if that is the id. */
  readonly value?: SortValue;
}

/** Bounds of the property that a list is sorted by. What is null lies in no range. */
export interface Range {
  /** The least value. */
  readonly from?: SortValue;
  /** Less than this. */
  readonly before?: SortValue;
}

/** Which page of a list to read. */
export interface Selection<Filter extends object> {
  /** The properties that items must have; one that is absent or undefined does not matter. */
  readonly filter?: Filter;
  /** Absent: newest (largest id) first. */
  readonly sort?: Sort;
  readonly range?: Range;
  /** Only what comes after this one, which lies in the range itself; absent: from the first on. */
  readonly after?: Position;
  readonly limit: number;
}

/** A page of a list. `next` is the place after which the list goes on; absent at its end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: Position;
}

/** Cuts a page out of what a repository found when it was asked for one item more than that. */
export function pageOf<Item extends { readonly id: Int64 }>(
  found: readonly Item[],
  { sort, limit }: Pick<Selection<object>, 'sort' | 'limit'>,
): Page<Item> {
  const last = found[limit - 1];
  if (found.length <= limit || !last) return { items: found };
  return { items: found.slice(0, limit), next: positionOf(last, sort) };
}

function positionOf<Item extends { readonly id: Int64 }>(item: Item, sort: Sort | undefined): Position {
  const { id } = item;
  if (sort === undefined || sort.by === 'id') return { id };
  return { id, value: (item as unknown as Record<string, SortValue | undefined>)[sort.by] ?? null };
}

/** The largest id that a page may hold whose list is sorted newest first. Ids are positive. */
export function newestOf({ after }: Pick<Selection<object>, 'after'>): Int64 {
  if (after === undefined) return Int64.MAX;
  return after.id > 0n ? after.id - 1n : 0n;
}
