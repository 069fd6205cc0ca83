import type { Growth } from '../figures/growth.js';
import { COLOURS, legend } from './colours.js';
import { panel, panels } from './panel.js';

const { service, 'node-http': grey, fastify, express, nest } = COLOURS;
/** Colours of the scenarios. */
const OWN = { 'list-equal': service, 'list-random': fastify, 'get-random': express, create: nest, mix: grey };

/** Requests per second against each growing quantity, one panel per quantity. */
export function growthPlot(growth: readonly Growth[]): string {
  const whose = [...new Set(growth.flatMap(({ places }) => places.map(({ scenario }) => scenario)))];
  const drawn = growth.map(({ what, places }) => {
    const curves = whose.map((scenario) => ({
      colour: OWN[scenario],
      points: places
        .filter((place) => place.scenario === scenario)
        .map(({ at, requestsPerSecond }) => [at, requestsPerSecond.median] as const),
    }));
    return panel(what, curves);
  });
  const key = legend(whose.map((title) => ({ title, colour: OWN[title] })));
  return panels('Requests per second as things grow; more is better', key, drawn);
}
