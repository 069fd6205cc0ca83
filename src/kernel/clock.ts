/** The current time, which tests replace. */
export abstract class Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  abstract now(): number;
  /** Milliseconds since an arbitrary moment, for ages and waits. Setting the time of day does not change it. */
  abstract monotonic(): number;
}
