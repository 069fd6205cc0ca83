const MAX_LENGTH = 64;

/** A name that a client chose, as an answer repeats it: enough to know it again, however long it is. */
export const shownName = (name: string): string =>
  name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH).toWellFormed()}…` : name;
