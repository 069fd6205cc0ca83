const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,3})0*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LEAP_SECOND = /^\d{4}-\d\d-\d\dt\d\d:\d\d:60/i;
const YEAR = /^\d{4}-/;

/**
 * Parses an RFC 3339 instant that a Date represents exactly: a valid calendar date, at most milliseconds, years 0000 to 9999 in
 * UTC. A Date does not support leap seconds. @returns undefined for any other text
 */
export function parseInstant(text: string): Date | undefined {
  const parts = RFC_3339.exec(text.toUpperCase());
  if (parts === null) return undefined;
  const [, day, time, fraction = '', offset] = parts;
  const local = `${day}T${time}.${fraction.padEnd(3, '0')}`;
  // `Date` would carry an invalid day or hour over to the next one.
  const asUtc = new Date(`${local}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return undefined;
  const instant = new Date(`${local}${offset}`);
  return YEAR.test(instant.toISOString()) ? instant : undefined;
}

/** The problem of a text that `parseInstant` rejects: a clause that follows the name of the field. */
export const instantProblem = (value: unknown): string =>
  typeof value === 'string' && LEAP_SECOND.test(value)
    ? 'must not be a leap second; send the second before or after it'
    : 'must be an instant of RFC 3339 with its offset, no finer than milliseconds, such as 2026-11-20T12:00:00.000Z';
