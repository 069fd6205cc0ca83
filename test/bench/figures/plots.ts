import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Growth } from './growth.js';
import type { Results } from './results.js';

/** Distinguishable with any kind of colour vision, on white and on black; after Okabe and Ito. */
const COLOURS = ['#0a84d6', '#8c959f', '#00a37a', '#e69f00', '#b07cc6', '#d55e6f'];
const COLOUR = { type: 'nominal', sort: null, title: null, scale: { range: COLOURS } } as const;
const FIGURE = { field: 'median', type: 'quantitative', title: null } as const;

const WIDE = { legend: { labelLimit: 240 } };

const svgOf = (spec: TopLevelSpec): Promise<string> =>
  new View(parse(compile({ background: 'white', config: WIDE, ...spec }).spec), { renderer: 'none' }).toSVG();

/** Requests per second in each scenario at one number of connections, as SVG: the bar is the median, the line the range. */
export function barsOf({ servers, results }: Results, connections: number): Promise<string> {
  const titles = new Map(servers.map(({ name, title }) => [name, title]));
  const shown = results.filter((result) => result.rate === undefined && result.connections === connections);
  const values = shown.map(({ server, scenario, requestsPerSecond }) => {
    return { server: titles.get(server), scenario, ...requestsPerSecond };
  });
  return svgOf({
    title: `Requests per second at ${connections} connection${connections === 1 ? '' : 's'}; more is better`,
    data: { values },
    width: { step: 24 },
    encoding: {
      x: { field: 'scenario', sort: null, title: null, axis: { labelAngle: 0 } },
      xOffset: { field: 'server', sort: null },
    },
    layer: [
      { mark: 'bar', encoding: { y: FIGURE, color: { field: 'server', ...COLOUR } } },
      { mark: 'rule', encoding: { y: { field: 'min', type: 'quantitative' }, y2: { field: 'max' } } },
    ],
  });
}

/** Requests per second against each growing quantity, a panel for each, as SVG. */
export function curvesOf(growth: readonly Growth[]): Promise<string> {
  return svgOf({
    title: 'Requests per second as things grow; more is better',
    columns: 3,
    concat: growth.map(({ what, places }) => ({
      title: what,
      width: 220,
      height: 160,
      data: { values: places.map(({ requestsPerSecond, ...place }) => ({ ...place, ...requestsPerSecond })) },
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'at', type: 'ordinal', title: null, axis: { labelAngle: 0, format: '~s' } },
        y: FIGURE,
        color: { field: 'scenario', ...COLOUR },
      },
    })),
  });
}
