const MAX_LENGTH = 64;

/** A name from a client, as a response repeats it. A long name is shortened. */
export const shownName = (name: string): string =>
  name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH).toWellFormed()}…` : name;
