import type { Int64 } from './int64.js';

/** Assigns the ids of new entities before they are stored. */
export abstract class Sequence {
  /**
   * The next id: positive, below 2^53, and never assigned before by any replica. Ids grow, but may have gaps. If a unit of work
   * is rolled back, do not use an id that was assigned inside it.
   */
  abstract next(): Promise<Int64>;

  /** The next `count` ids. In a unit of work that needs many ids, it costs less than calls of `next`. */
  async nextMany(count: number): Promise<Int64[]> {
    const ids: Int64[] = [];
    while (ids.length < count) ids.push(await this.next());
    return ids;
  }
}
