import type { Int64 } from './int64.js';

/** Hands out the ids of new things, before they are stored. */
export abstract class Sequence {
  /**
   * The next id: positive, below 2^53, never handed out before by any replica. Ids grow, but may skip.
   * Inside a unit of work the id is as good as the unit: if that is rolled back, so is the id.
   */
  abstract next(): Promise<Int64>;
}
