/** Median and range of repeated measurements, rounded. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @returns undefined if there are no values */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median: rounded(median), min: rounded(min), max: rounded(max) };
}

/** Rounds for the report: a run does not reproduce more than four significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(4));

/** Nearest-rank percentile: the smallest value with `percent` per cent of the values at or below it. */
export function percentile(values: Float64Array, percent: number): number {
  return values.toSorted()[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)] ?? Number.NaN;
}
