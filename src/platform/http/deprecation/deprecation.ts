/** How an operation ends. Days are in UTC and begin at midnight. */
export interface Deprecation {
  /** `YYYY-MM-DD`: deprecated from this day on. */
  readonly since: string;
  /** `YYYY-MM-DD`: removed from this day on. */
  readonly sunset: string;
  /**
   * The operation that replaces it, as a path below the base URL, or of another version, such as `/v2/pets`. `answer` is the result
   * of the deprecated operation, if there is one.
   */
  readonly successor: (answer?: unknown) => Successor;
}

interface Successor {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}
