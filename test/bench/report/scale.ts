/** Maps values of a plot to positions between two points. */
export interface Scale {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

/** From 0 to a round number of at least `largest`, with about five ticks that are 1, 2 or 5 times a power of ten apart. */
export function linearScale(largest: number, from: number, to: number): Scale {
  const step = roundStep(Math.max(largest, Number.MIN_VALUE) / 5);
  const count = Math.max(1, Math.ceil(largest / step));
  const end = count * step;
  return {
    ticks: Array.from({ length: count + 1 }, (_, i) => i * step),
    at: (value) => from + (value / end) * (to - from),
  };
}

/** Spaces the given values equally. */
export function ordinalScale(values: readonly number[], from: number, to: number): Scale {
  const gap = (to - from) / Math.max(1, values.length - 1);
  return { ticks: values, at: (value) => from + values.indexOf(value) * gap };
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (
    [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999_999) ?? 10 * power
  );
}
