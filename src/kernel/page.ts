import type { Int64 } from './int64.js';

/** A value that a list may be sorted by; null sorts before all others. */
export type SortValue = Int64 | number | string | Date | null;

/** The order of a list: by one property, and by id where that is equal, both in the same direction. */
export interface Sort {
  /** The property, `id` too. */
  readonly by: string;
  readonly descending: boolean;
}

/** The position of an item in a sorted list. */
export interface Position {
  readonly id: Int64;
  /** The value of the property that the list is sorted by; absent if that is the id. */
  readonly value?: SortValue;
}

/** Bounds on the property that a list is sorted by. Null is in no range. */
export interface Range {
  /** Inclusive. */
  readonly from?: SortValue;
  /** Exclusive. */
  readonly before?: SortValue;
}

/** Which page of a list to read. */
export interface Selection<Filter extends object> {
  /** The values that properties of the items must have; one of an array is enough; absent and undefined ones do not filter. */
  readonly filter?: Filter;
  /** Absent: newest (largest id) first. */
  readonly sort?: Sort;
  readonly range?: Range;
  /** Only items after this position, which lies in the range itself; absent: from the first item on. */
  readonly after?: Position;
  readonly limit: number;
}

/** A page of a list. `next` is the position after which the list continues; absent on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: Position;
}

/** Makes a page of the items that a repository found when it was asked for one more than the limit. */
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
