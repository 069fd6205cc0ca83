import type { Results } from '../figures/results.js';
import { COLOURS, legend } from './colours.js';
import { panel, panels } from './panel.js';

/** Requests per second against the number of connections, one panel per scenario. */
export function linesOf({ servers, results }: Results): string {
  const shown = results.filter(({ rate }) => rate === undefined);
  const drawn = [...new Set(shown.map(({ scenario }) => scenario))].map((scenario) => {
    const curves = servers.map(({ name }) => ({
      colour: COLOURS[name],
      isBold: name === 'service',
      points: shown.flatMap(({ requestsPerSecond: rate, ...one }) =>
        one.server === name && one.scenario === scenario && rate
          ? [[one.connections, rate.median] as const]
          : [],
      ),
    }));
    return panel(scenario, curves);
  });
  const title = 'Requests per second over the number of connections; more is better';
  return panels(title, legend(servers.map(({ name, title }) => ({ title, colour: COLOURS[name] }))), drawn);
}
