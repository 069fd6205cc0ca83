import { linearScale, ordinalScale } from './scale.js';
import { element, line, picture, text } from './svg.js';

const WIDTH = 860;
const PANEL = { width: 280, height: 210, top: 72 };
const PER_ROW = 3;

/** A quantity measured at several points of the x axis. */
export interface Curve {
  readonly colour: string;
  /** Absent: normal stroke width. */
  readonly isBold?: boolean;
  readonly points: readonly (readonly [along: number, up: number])[];
}

/** Curves over an x axis on which all values are equally spaced. */
export function panel(title: string, curves: readonly Curve[]): string[] {
  const all = curves.flatMap(({ points }) => points);
  const [left, right, top, bottom] = [50, PANEL.width - 16, 28, PANEL.height - 32];
  const up = linearScale(Math.max(1, ...all.map(([, value]) => value)), bottom, top);
  const along = ordinalScale([...new Set(all.map(([value]) => value))], left + 8, right - 8);

  const grid = up.ticks.flatMap((tick) => [
    line(left, up.at(tick), right, up.at(tick), 'grid'),
    text(left - 6, up.at(tick) + 4, tick.toLocaleString('en'), { 'text-anchor': 'end' }),
  ]);
  const numbers = along.ticks.map((tick) =>
    text(along.at(tick), bottom + 18, inShort(tick), { 'text-anchor': 'middle' }),
  );
  const drawn = curves.flatMap(({ colour, isBold, points }) => {
    const places = points.map(([value, height]) => [along.at(value), up.at(height)] as const);
    const path = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const dots = places.map(([cx, cy]) => element('circle', { cx, cy, r: 3, fill: colour }));
    const stroke = { stroke: colour, 'stroke-width': isBold ? 3 : 1.5 };
    return [element('polyline', { points: path, fill: 'none', ...stroke }), ...dots];
  });
  return [text((left + right) / 2, 14, title, { 'text-anchor': 'middle' }), ...grid, ...numbers, ...drawn];
}

/** `10K` and `10M` to save space; numbers below 10,000 are written in full. */
const inShort = (value: number) =>
  value.toLocaleString('en', { notation: value < 10_000 ? 'standard' : 'compact' });

/** Lays out panels in rows. */
export function panels(title: string, legend: readonly string[], drawn: readonly string[][]): string {
  const placed = drawn.map((one, i) => {
    const x = 10 + (i % PER_ROW) * PANEL.width;
    const y = PANEL.top + Math.floor(i / PER_ROW) * PANEL.height;
    return element('g', { transform: `translate(${x} ${y})` }, ...one);
  });
  const rows = Math.ceil(drawn.length / PER_ROW);
  return picture(WIDTH, PANEL.top + rows * PANEL.height + 8, title, ...legend, ...placed);
}
