import type { Int64 } from '../../../src/kernel/int64.js';
import { type Page, pageOf, type Selection, type Sort, type SortValue } from '../../../src/kernel/page.js';

const NEWEST_FIRST: Sort = { by: 'id', descending: true };

/** One page of items, as `keysetPage` reads it from a table. */
export const selectedPage = <Item extends { readonly id: Int64 }>(
  items: Iterable<Item>,
  selection: Selection<object>,
): Page<Item> => pageOf(selected(items, { ...selection, limit: selection.limit + 1 }), selection);

/** Filters, sorts and limits items by a selection. */
export function selected<Item extends { readonly id: Int64 }>(
  items: Iterable<Item>,
  { filter = {}, sort = NEWEST_FIRST, range = {}, after, limit }: Selection<object>,
): Item[] {
  const valueOf = (item: object, property: string) =>
    (item as Record<string, SortValue | undefined>)[property] ?? null;
  const sign = sort.descending ? -1 : 1;
  const ofItem = (item: Item) => [valueOf(item, sort.by), item.id] as const;
  const compare = ([a, i]: readonly [SortValue, Int64], [b, j]: readonly [SortValue, Int64]) =>
    sign * (compareValues(a, b) || compareValues(i, j));
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    string,
    SortValue | SortValue[],
  ][];
  return [...items]
    .filter((item) =>
      wanted.every(([property, values]) =>
        [values].flat().some((value) => compareValues(valueOf(item, property), value) === 0),
      ),
    )
    .filter((item) => {
      const value = valueOf(item, sort.by);
      const { from, before } = range;
      if (from === undefined && before === undefined) return true;
      if (value === null || (from !== undefined && compareValues(value, from) < 0)) return false;
      return before === undefined || compareValues(value, before) < 0;
    })
    .filter((item) => {
      if (after === undefined) return true;
      const { id, value = sort.by === 'id' ? id : null } = after;
      return compare(ofItem(item), [value, id]) > 0;
    })
    .sort((a, b) => compare(ofItem(a), ofItem(b)))
    .slice(0, limit);
}

/** Compares as both engines do: null first, text by its bytes. */
function compareValues(a: SortValue | boolean, b: SortValue | boolean): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
