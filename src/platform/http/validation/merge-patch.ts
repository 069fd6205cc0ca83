/** The fields of a merge patch that were sent; a field that was null is present and undefined. */
export type Changes<Patch extends object> = {
  readonly [Field in keyof Patch]: Exclude<Patch[Field], null> | undefined;
};

/**
 * The changes of a merge patch (RFC 7396), to be spread over the stored properties: null removes a value, and absent fields
 * keep theirs. `patch` is a body whose fields are all `optional` or `nullable`, without nested objects.
 */
export const changesOf = <Patch extends object>(patch: Patch): Changes<Patch> =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]: [string, unknown]) => [field, value ?? undefined]),
  ) as Changes<Patch>;
