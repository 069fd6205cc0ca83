/** In ms. */
export const DAY = 86_400_000;

/** The day of a time, in UTC, as `YYYY-MM-DD`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
