/** The current time, and waiting; replaced in tests. */
export abstract class Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  abstract now(): number;
  /** Waits for so many milliseconds, or until `end` is aborted. */
  abstract sleep(milliseconds: number, end?: AbortSignal): Promise<void>;
}
