import type { Int64 } from './int64.js';

/** A value that a list may be sorted by. Null sorts before all other values. */
export type SortValue = Int64 | number | string | Date | null;

/** The order of a list: by one property, then by id, both in the same direction. */
export interface Sort {
  /** The name of the property, which may be `id`. */
  readonly by: string;
  readonly descending: boolean;
}

/** The position of an item in a sorted list. */
export interface Position {
  readonly id: Int64;
  /** The value of the property that the list is sorted by; absent if that property is the id. */
  readonly value?: SortValue;
}

/** Bounds on the property that a list is sorted by. Null is outside every range. */
export interface Range {
  /** Inclusive. */
  readonly from?: SortValue;
  /** Exclusive. */
  readonly before?: SortValue;
}

/** The selection of a page of a list. */
export interface Selection<Filter extends object> {
  /**
   * The values that properties of the items must have. For an array, one of its values is enough. An absent or undefined value
   * does not filter.
   */
  readonly filter?: Filter;
  /** If absent, newest (largest id) first. */
  readonly sort?: Sort;
  readonly range?: Range;
  /** Only items after this position, which lies in the range. If absent, from the first item on. */
  readonly after?: Position;
  readonly limit: number;
}

/** A page of a list. `next` is the position after which the list continues; it is absent on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: Position;
}

/** Makes a page from the items that a repository has found. The repository was asked for one item more than the limit. */
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
