/** What time it is, and waiting; tests bring their own. */
export abstract class Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  abstract now(): number;
  /** Lets so many milliseconds pass, or fewer: until `end` is aborted. */
  abstract sleep(milliseconds: number, end?: AbortSignal): Promise<void>;
}
