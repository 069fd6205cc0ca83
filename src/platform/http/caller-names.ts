/** What the platform wants to know of callers, besides their ids; fulfilled by whoever knows them. */
export abstract class CallerNames {
  /** The names of all callers that there are, by the id of `callerId`. */
  abstract all(): Promise<ReadonlyMap<string, string>>;
}
