import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLACES } from '../command/places.js';
import type { ClusterCase, ClusterResult } from '../figures/cluster-results.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import { fitted } from './cost.js';
import type { Kind } from './simulate.js';

const FILE = join(PLACES.results, 'cluster.json');
/** Numbers of connections at which the cost of a request alone, and among others, was measured. */
const [ALONE, AMONG] = [1, 64];

/** Concurrent statements per process and kind: the limit of its batches, and one for all requests for the same page. */
const STATEMENTS = {
  'list-equal': 1,
  'list-random': 8,
  'get-random': 4,
  create: 4,
} satisfies Partial<Record<ScenarioName, number>>;
export type Measured = keyof typeof STATEMENTS;
export const MEASURED = Object.keys(STATEMENTS) as Measured[];

/** The request costs that `npm run bench:cluster` has measured for the service and its database, in the same run. */
export class MeasuredCosts {
  private constructor(
    private readonly results: readonly ClusterResult[],
    private readonly nodes: number,
  ) {}

  /** @param nodes of the database: one server is measured separately from a cluster */
  static async read(nodes: number): Promise<MeasuredCosts> {
    try {
      const text = await readFile(FILE, 'utf8');
      return new MeasuredCosts((JSON.parse(text) as { results: ClusterResult[] }).results, nodes);
    } catch (cause) {
      throw new Error(`${FILE} cannot be read; npm run bench:cluster writes it.`, { cause });
    }
  }

  kind(name: Measured, share: number): Kind {
    const [alone, among] = [this.#result(name, ALONE), this.#result(name, AMONG)];
    const fit = (ms: (of: ClusterResult) => number) => fitted(ms(alone), ms(among), AMONG);
    const costs = {
      service: fit(serviceMs),
      node: fit(nodeMs),
      ...(name === 'create' && { apply: fit(applyMs) }),
    };
    return { name, share, ...costs, statements: STATEMENTS[name] };
  }

  /** Wait of a new animal besides CPU time: mostly for the disk, and for delivery to the other nodes. */
  commitMs(): number {
    const alone = this.#result('create', ALONE);
    return Math.max(0, alone.p50Ms - serviceMs(alone) - nodeMs(alone));
  }

  #result(name: Measured, connections: number): ClusterResult {
    const wanted: ClusterCase = this.nodes === 1 ? 'one server' : 'cluster, one node written';
    const found = this.results.find(
      ({ name: of, scenario, ...result }) =>
        of === wanted && scenario === name && result.connections === connections,
    );
    if (!found) throw new Error(`${FILE} says nothing of ${name} at ${connections} connections.`);
    return found;
  }
}

const serviceMs = ({ serviceMsPer1000 }: ClusterResult): number => serviceMsPer1000 / 1000;
const nodeMs = ({ nodeMsPer1000 }: ClusterResult): number => nodeMsPer1000[0]! / 1000;

/** CPU time per request of a node that is not queried: the mean of those nodes. */
function applyMs({ nodeMsPer1000: [, ...others] }: ClusterResult): number {
  return others.reduce((sum, ms) => sum + ms, 0) / 1000 / Math.max(1, others.length);
}
