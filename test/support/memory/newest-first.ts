import type { Int64 } from '../../../src/kernel/int64.js';
import type { Selection } from '../../../src/kernel/page.js';

/** The selected ones of some items, newest first. */
export function newestFirst<Status, Item extends { readonly id: Int64; readonly status: Status }>(
  items: Iterable<Item>,
  { status, before, limit }: Selection<Status>,
): Item[] {
  return [...items]
    .filter((item) => status === undefined || item.status === status)
    .filter((item) => before === undefined || item.id < before)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}
