import type { ScenarioName } from '../traffic/scenarios.js';
import { rounded, spreadOf } from './statistics.js';

export type ClusterCase = 'one server' | 'cluster, one node written' | 'cluster, all nodes';

/** Figures of one turn, or the medians of several. Processor time is in ms per 1,000 requests. */
export interface ClusterFigures {
  readonly requestsPerSecond: number;
  /** Sum over all services. */
  readonly serviceMsPer1000: number;
  /** Per node, for 1,000 requests to the whole cluster; a node that is not written to only applies writes. */
  readonly nodeMsPer1000: readonly number[];
  /** Of the slowest service if there are several. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Commits that failed certification because of another node's, and transactions aborted for another node's. */
  readonly certificationFailures: number;
  readonly aborts: number;
  /** Flow-control pause of the node that was paused longest, in which others catch up. */
  readonly pausedMs: number;
  readonly faults: readonly string[];
}

export interface ClusterResult extends ClusterFigures {
  readonly name: ClusterCase;
  readonly scenario: ScenarioName;
  readonly connections: number;
}

/** Medians over several turns; conflicts are summed, and faults of all turns listed. */
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
