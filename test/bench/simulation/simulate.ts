import { percentile } from '../figures/statistics.js';
import { chanceFrom } from '../traffic/chance.js';
import { type Cost, costOf } from './cost.js';
import { Cores } from './cores.js';
import { Timeline } from './timeline.js';

/** A kind of request. */
export interface Kind {
  readonly name: string;
  /** Share of all requests, from 0 to 1. */
  readonly share: number;
  readonly service: Cost;
  /** Cost at the node that is queried. */
  readonly node: Cost;
  /** Cost at each other node of applying a write; absent: the kind only reads. */
  readonly apply?: Cost;
  /** Limit of concurrent statements per process. */
  readonly statements: number;
}

/** The simulated deployment. Times are in ms. */
export interface Site {
  readonly kinds: readonly Kind[];
  /** Requests per second. */
  readonly rate: number;
  readonly processes: number;
  readonly nodes: number;
  /** Per node. */
  readonly cores: number;
  /** Network round trip to a node. */
  readonly roundTrip: number;
  /** Commit time besides CPU time. */
  readonly commit: number;
  /** Batch limit: most requests that are processed together. */
  readonly mostTogether: number;
}

export interface Outcome {
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Utilisation, from 0 to 1, of the processes and of the cores of all nodes. */
  readonly processUtilisation: number;
  readonly coreUtilisation: number;
}

interface Request {
  readonly kind: Kind;
  readonly cameAt: number;
}

/** Queue of requests of one kind that wait for a statement, and the number of statements in progress. */
interface Line {
  readonly waiting: Request[];
  running: number;
}

/** A single-threaded process, which takes one turn after another while requests wait. */
class Process {
  readonly thread = new Cores(1);
  readonly waiting: Request[] = [];
  readonly lines: ReadonlyMap<Kind, Line>;
  isBusy = false;
  /** Number of its requests without a response. */
  open = 0;

  constructor(
    kinds: readonly Kind[],
    readonly preferred: number,
  ) {
    this.lines = new Map(kinds.map((kind) => [kind, { waiting: [], running: 0 }]));
  }
}

/**
 * Requests arrive as a Poisson process, each at the process with the fewest open ones. A process takes all that arrived while
 * it was busy into one turn. Requests of one kind then share a statement, or queue for the next one while the limit of
 * statements is reached. A statement goes to the node that the process prefers, and waits there for a free core. Writes are
 * committed before the response; all other nodes apply them in parallel.
 */
export function simulate(site: Site, requests: number, seed: string): Outcome {
  const chance = chanceFrom(seed);
  const timeline = new Timeline();
  const nodes = Array.from({ length: site.nodes }, () => new Cores(site.cores));
  const processes = Array.from({ length: site.processes }, (_, i) => new Process(site.kinds, i % site.nodes));
  const latencies = new Float64Array(requests);
  let answered = 0;
  let end = 0;

  const come = (left: number): void => {
    const process = leastBusy(processes, chance);
    process.waiting.push({ kind: kindBy(chance(), site.kinds), cameAt: timeline.now });
    process.open += 1;
    if (!process.isBusy) takeTurn(process);
    end = timeline.now;
    if (left > 1) timeline.after((-Math.log(1 - chance()) * 1000) / site.rate, () => come(left - 1));
  };

  const takeTurn = (process: Process): void => {
    const taken = process.waiting.splice(0, site.mostTogether);
    const groups = site.kinds
      .map((kind) => ({ kind, group: taken.filter((request) => request.kind === kind) }))
      .filter(({ group }) => group.length > 0);
    const cost = groups.reduce((sum, { kind, group }) => sum + costOf(kind.service, group.length), 0);
    process.isBusy = true;
    timeline.at(process.thread.work(timeline.now, cost), () => {
      for (const { kind, group } of groups) {
        process.lines.get(kind)!.waiting.push(...group);
        send(process, kind);
      }
      process.isBusy = false;
      if (process.waiting.length > 0) takeTurn(process);
    });
  };

  const send = (process: Process, kind: Kind): void => {
    const line = process.lines.get(kind)!;
    while (line.waiting.length > 0 && line.running < kind.statements) {
      const group = line.waiting.splice(0, site.mostTogether);
      line.running += 1;
      timeline.after(site.roundTrip / 2, () => ask(process, kind, group));
    }
  };

  const ask = (process: Process, kind: Kind, group: readonly Request[]): void => {
    const { node, apply } = kind;
    const done = nodes[process.preferred]!.work(timeline.now, costOf(node, group.length));
    if (apply) timeline.at(done, () => applyElsewhere(process.preferred, costOf(apply, group.length)));
    timeline.at(done + (apply ? site.commit : 0) + site.roundTrip / 2, () => {
      for (const { cameAt } of group) latencies[answered++] = timeline.now - cameAt;
      process.open -= group.length;
      process.lines.get(kind)!.running -= 1;
      send(process, kind);
    });
  };

  const applyElsewhere = (origin: number, cost: number): void => {
    for (const [i, node] of nodes.entries()) if (i !== origin) node.work(timeline.now, cost);
  };

  come(requests);
  timeline.run();
  const utilisation = (all: readonly Cores[], cores: number) =>
    all.reduce((sum, { busyMs }) => sum + busyMs, 0) / (end * all.length * cores);
  return {
    meanMs: latencies.reduce((sum, latency) => sum + latency, 0) / requests,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    processUtilisation: utilisation(
      processes.map(({ thread }) => thread),
      1,
    ),
    coreUtilisation: utilisation(nodes, site.cores),
  };
}

/** Breaks ties at random. */
function leastBusy(processes: readonly Process[], chance: () => number): Process {
  const first = Math.floor(chance() * processes.length);
  let best = processes[first]!;
  for (let i = 1; i < processes.length; i++) {
    const other = processes[(first + i) % processes.length]!;
    if (other.open < best.open) best = other;
  }
  return best;
}

function kindBy(chance: number, kinds: readonly Kind[]): Kind {
  let sum = 0;
  return kinds.find(({ share }) => (sum += share) > chance) ?? kinds.at(-1)!;
}
