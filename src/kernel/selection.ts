import type { Int64 } from './int64.js';

/** Which stretch of a list is wanted, newest (largest id) first. */
export interface Selection<Status> {
  /** Absent: of every status. */
  readonly status?: Status;
  /** Only what has a smaller id; absent: from the newest on. */
  readonly before?: Int64;
  readonly limit: number;
}
