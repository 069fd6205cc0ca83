/** The fields of a merge patch that were sent. A field that was null is present and undefined. */
export type Changes<Patch extends object> = {
  readonly [Field in keyof Patch]: Exclude<Patch[Field], null> | undefined;
};

/**
 * The changes of a merge patch (RFC 7396), to be spread over the stored properties. Null removes a value, and an absent field keeps
 * its value. `patch` is a body without nested objects whose fields are all `optional` or `nullable`.
 */
export const changesOf = <Patch extends object>(patch: Patch): Changes<Patch> =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]: [string, unknown]) => [field, value ?? undefined]),
  ) as Changes<Patch>;
