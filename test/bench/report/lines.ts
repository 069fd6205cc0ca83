import type { Results } from '../figures/results.js';
import { COLOURS, legend } from './colours.js';
import { linearScale, ordinalScale } from './scale.js';
import { element, line, picture, text } from './svg.js';

const WIDTH = 860;
const PANEL = { width: 280, height: 210, top: 72 };
const PER_ROW = 3;

/** Requests per second over the number of connections, a panel for each scenario. */
export function linesOf(results: Results): string {
  const scenarios = [...new Set(results.results.map(({ scenario }) => scenario))];
  const rows = Math.ceil(scenarios.length / PER_ROW);
  const panels = scenarios.map((scenario, i) => {
    const x = 10 + (i % PER_ROW) * PANEL.width;
    const y = PANEL.top + Math.floor(i / PER_ROW) * PANEL.height;
    return element('g', { transform: `translate(${x} ${y})` }, ...panel(results, scenario));
  });
  const title = 'Requests per second over the number of connections; more is better';
  const height = PANEL.top + rows * PANEL.height + 8;
  return picture(WIDTH, height, title, ...legend(results.servers, 16, 52), ...panels);
}

function panel({ servers, results }: Results, scenario: string): string[] {
  const shown = results.filter((result) => result.rate === undefined && result.scenario === scenario);
  const largest = Math.max(1, ...shown.map(({ requestsPerSecond }) => requestsPerSecond?.median ?? 0));
  const [left, right, top, bottom] = [50, PANEL.width - 16, 28, PANEL.height - 32];
  const up = linearScale(largest, bottom, top);
  const along = ordinalScale([...new Set(shown.map(({ connections }) => connections))], left + 8, right - 8);

  const grid = up.ticks.flatMap((tick) => [
    line(left, up.at(tick), right, up.at(tick), 'grid'),
    text(left - 6, up.at(tick) + 4, tick.toLocaleString('en'), { 'text-anchor': 'end' }),
  ]);
  const numbers = along.ticks.map((tick) =>
    text(along.at(tick), bottom + 18, String(tick), { 'text-anchor': 'middle' }),
  );
  const curves = servers.flatMap(({ name }) => {
    const points = shown
      .filter(({ server, requestsPerSecond }) => server === name && requestsPerSecond)
      .map(
        ({ connections, requestsPerSecond }) =>
          [along.at(connections), up.at(requestsPerSecond!.median)] as const,
      );
    const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const dots = points.map(([cx, cy]) => element('circle', { cx, cy, r: 3, fill: COLOURS[name] }));
    const stroke = { stroke: COLOURS[name], 'stroke-width': name === 'service' ? 3 : 1.5 };
    return [element('polyline', { points: path, fill: 'none', ...stroke }), ...dots];
  });
  const title = text((left + right) / 2, 14, scenario, { 'text-anchor': 'middle' });
  return [title, ...grid, ...numbers, ...curves];
}
