import type { Result, Results } from '../figures/results.js';
import { COLOURS, legend } from './colours.js';
import { linearScale } from './scale.js';
import { element, line, picture, text } from './svg.js';

const WIDTH = 860;
const HEIGHT = 400;
const PLOT = { left: 64, right: WIDTH - 16, top: 76, bottom: HEIGHT - 36 };

/** Requests per second in each scenario at one number of connections: the bar is the median, the whisker the range. */
export function barsOf({ servers, results }: Results, connections: number): string {
  const shown = results.filter((result) => result.rate === undefined && result.connections === connections);
  const scenarios = [...new Set(shown.map(({ scenario }) => scenario))];
  const largest = Math.max(1, ...shown.map(({ requestsPerSecond }) => requestsPerSecond?.max ?? 0));
  const scale = linearScale(largest, PLOT.bottom, PLOT.top);

  const grid = scale.ticks.flatMap((tick) => [
    line(PLOT.left, scale.at(tick), PLOT.right, scale.at(tick), 'grid'),
    text(PLOT.left - 8, scale.at(tick) + 4, tick.toLocaleString('en'), { 'text-anchor': 'end' }),
  ]);
  const room = (PLOT.right - PLOT.left) / scenarios.length;
  const width = Math.min(60, (room * 0.8) / servers.length);
  const groups = scenarios.flatMap((scenario, i) => {
    const middle = PLOT.left + (i + 0.5) * room;
    const first = middle - (width * servers.length) / 2;
    const bars = servers.flatMap(({ name }, j) => {
      const result = shown.find((one) => one.scenario === scenario && one.server === name);
      return result ? bar(result, first + j * width, width, scale.at) : [];
    });
    return [...bars, text(middle, PLOT.bottom + 20, scenario, { 'text-anchor': 'middle' })];
  });
  const title = `Requests per second at ${connections} connection${connections === 1 ? '' : 's'}; more is better`;
  const key = legend(servers.map(({ name, title }) => ({ title, colour: COLOURS[name] })));
  return picture(WIDTH, HEIGHT, title, ...key, ...grid, ...groups);
}

function bar(
  { server, requestsPerSecond }: Result,
  x: number,
  width: number,
  at: (value: number) => number,
): string[] {
  if (!requestsPerSecond) return [text(x + width / 2, at(0) - 4, '!', { 'text-anchor': 'middle' })];
  const { median, min, max } = requestsPerSecond;
  const height = at(0) - at(median);
  const middle = x + width / 2;
  return [
    element('rect', { x: x + 1, y: at(median), width: width - 2, height, fill: COLOURS[server] }),
    line(middle, at(min), middle, at(max), 'whisker'),
  ];
}
