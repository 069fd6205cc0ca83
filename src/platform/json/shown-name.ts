const MAX_LENGTH = 64;

/** A name from a client as an answer repeats it, shortened if it is long. */
export const shownName = (name: string): string =>
  name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH).toWellFormed()}…` : name;
