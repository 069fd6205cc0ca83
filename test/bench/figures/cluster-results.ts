import type { ScenarioName } from '../traffic/scenarios.js';
import { rounded, spreadOf } from './statistics.js';

export type ClusterCase = 'one server' | 'cluster, one node written' | 'cluster, all nodes';

/** What was seen in one turn, or the medians of several. Processor time is in ms for 1,000 requests. */
export interface ClusterFigures {
  readonly requestsPerSecond: number;
  /** Of all services together. */
  readonly serviceMsPer1000: number;
  /** Of each node, for 1,000 requests to all of them; who is not written to only applies. */
  readonly nodeMsPer1000: readonly number[];
  /** Of the slowest where several are asked. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Commits that a node refused because of another's, and transactions that it gave up for another's. */
  readonly certificationFailures: number;
  readonly aborts: number;
  /** How long the node that was held back most was held back, for others to catch up. */
  readonly pausedMs: number;
  readonly faults: readonly string[];
}

export interface ClusterResult extends ClusterFigures {
  readonly name: ClusterCase;
  readonly scenario: ScenarioName;
  readonly connections: number;
}

/** The medians of several turns; conflicts and faults are those of all. */
export function mediansOf(turns: readonly ClusterFigures[]): ClusterFigures {
  const median = (of: (turn: ClusterFigures) => number) => rounded(spreadOf(turns.map(of))!.median);
  const sum = (of: (turn: ClusterFigures) => number) => turns.reduce((all, turn) => all + of(turn), 0);
  return {
    requestsPerSecond: median((turn) => turn.requestsPerSecond),
    serviceMsPer1000: median((turn) => turn.serviceMsPer1000),
    nodeMsPer1000: turns[0]!.nodeMsPer1000.map((_, node) => median((turn) => turn.nodeMsPer1000[node]!)),
    p50Ms: median((turn) => turn.p50Ms),
    p99Ms: median((turn) => turn.p99Ms),
    certificationFailures: sum((turn) => turn.certificationFailures),
    aborts: sum((turn) => turn.aborts),
    pausedMs: median((turn) => turn.pausedMs),
    faults: turns.flatMap(({ faults }) => faults),
  };
}
