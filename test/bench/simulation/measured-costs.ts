import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PLACES } from '../command/places.js';
import type { ClusterCase, ClusterResult } from '../figures/cluster-results.js';
import type { Result } from '../figures/results.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import { fitted } from './cost.js';
import type { Kind } from './simulate.js';

/** At which numbers of connections what a request costs alone, and among others, was measured. */
const [ALONE, AMONG] = [1, 64];

/** How many of a kind a process of the service has under way: as its batches say, and one for all who want the same page. */
const STATEMENTS = {
  'list-equal': 1,
  'list-random': 8,
  'get-random': 4,
  create: 4,
} satisfies Partial<Record<ScenarioName, number>>;
export type Measured = keyof typeof STATEMENTS;
export const MEASURED = Object.keys(STATEMENTS) as Measured[];

/** What requests were measured to cost: the service by `npm run bench`, the database by `npm run bench:cluster`. */
export class MeasuredCosts {
  private constructor(
    private readonly bench: readonly Result[],
    private readonly cluster: readonly ClusterResult[],
    private readonly nodes: number,
  ) {}

  /** @param nodes of the database: one server is measured apart from a cluster */
  static async read(nodes: number): Promise<MeasuredCosts> {
    const [bench, cluster] = await Promise.all([
      resultsIn<Result>('latest.json', 'bench'),
      resultsIn<ClusterResult>('cluster.json', 'bench:cluster'),
    ]);
    return new MeasuredCosts(bench, cluster, nodes);
  }

  kind(name: Measured, share: number): Kind {
    const [alone, among] = [this.#database(name, ALONE), this.#database(name, AMONG)];
    const [node, apply] = ([nodeMs, applyMs] as const).map((of) => fitted(of(alone), of(among), AMONG));
    const service = fitted(this.#service(name, ALONE), this.#service(name, AMONG), AMONG);
    const costs = { service, node: node!, ...(name === 'create' && { apply: apply! }) };
    return { name, share, ...costs, statements: STATEMENTS[name] };
  }

  /** What a new animal waits for besides processors: mostly for the disk, and for the other nodes to have received it. */
  commitMs(): number {
    const alone = this.#database('create', ALONE);
    return Math.max(0, alone.p50Ms - alone.serviceMsPer1000 / 1000 - nodeMs(alone));
  }

  #service(name: Measured, connections: number): number {
    const found = this.bench.find(
      ({ server, scenario, rate, ...result }) =>
        server === 'service' && scenario === name && rate === undefined && result.connections === connections,
    );
    // Seconds for 1,000 requests are milliseconds for one.
    return found?.cpuSecondsPer1000?.median ?? missing('latest.json', name, connections);
  }

  #database(name: Measured, connections: number): ClusterResult {
    const wanted: ClusterCase = this.nodes === 1 ? 'one server' : 'cluster, one node written';
    const found = this.cluster.find(
      ({ name: of, scenario, ...result }) =>
        of === wanted && scenario === name && result.connections === connections,
    );
    return found ?? missing('cluster.json', name, connections);
  }
}

const nodeMs = ({ nodeMsPer1000 }: ClusterResult): number => nodeMsPer1000[0]! / 1000;

/** Of one of those that are not asked. */
function applyMs({ nodeMsPer1000: [, ...others] }: ClusterResult): number {
  return others.reduce((sum, ms) => sum + ms, 0) / 1000 / Math.max(1, others.length);
}

async function resultsIn<Item>(file: string, command: string): Promise<Item[]> {
  try {
    return (JSON.parse(await readFile(join(PLACES.results, file), 'utf8')) as { results: Item[] }).results;
  } catch (cause) {
    throw new Error(`${file} in ${PLACES.results} cannot be read; npm run ${command} writes it.`, { cause });
  }
}

function missing(file: string, scenario: Measured, connections: number): never {
  throw new Error(`${file} says nothing of ${scenario} at ${connections} connections.`);
}
