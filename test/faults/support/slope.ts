export interface Point {
  readonly x: number;
  readonly y: number;
}

/** By how much `y` grows with `x`: the slope of the least-squares line. NaN for fewer than two different values of `x`. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}

/** The points of the second half of a run, without its warm-up. */
export function secondHalf(points: readonly Point[]): readonly Point[] {
  const middle = (points.at(-1)?.x ?? 0) / 2;
  return points.filter(({ x }) => x >= middle);
}
