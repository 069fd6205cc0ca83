/** What several measurements of the same thing say. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @returns undefined if there is nothing to speak of */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  return { median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2, min, max };
}

/** A number as it is written down: four significant digits are more than a run can repeat. */
export const rounded = (value: number): number => Number(value.toPrecision(4));

/** Below or at which so many per cent of the values lie: the nearest rank. */
export function percentile(values: Float64Array, percent: number): number {
  return values.toSorted()[Math.max(0, Math.ceil((values.length * percent) / 100) - 1)] ?? Number.NaN;
}
