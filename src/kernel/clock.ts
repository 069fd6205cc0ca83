/** The time; replaced in tests. */
export abstract class Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  abstract now(): number;
  /** Milliseconds since some moment, for ages and waits: it goes on evenly when the time is set. */
  abstract monotonic(): number;
}
