import type { Int64 } from './int64.js';

/** Which page of a list to read, newest (largest id) first. */
export interface Selection<Status> {
  /** Absent: of every status. */
  readonly status?: Status;
  /** Only what has a smaller id; absent: from the newest on. */
  readonly before?: Int64;
  readonly limit: number;
}
