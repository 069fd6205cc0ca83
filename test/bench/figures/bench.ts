import type { Agreement } from '../servers/agreement.js';
import type { BenchDatabase, BenchKey } from '../servers/database.js';
import type { BenchOptions } from '../command/options.js';
import type { Progress } from '../command/progress.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import type { ServerName } from '../servers/servers.js';
import type { Traffic } from '../traffic/traffic.js';
import type { Seen } from '../traffic/wrk.js';

/** A closed loop over `connections`; with a rate, an open loop over at most that many. */
export interface Shape {
  readonly connections: number;
  /** Requests per second. */
  readonly rate?: number;
}

export const inWords = ({ connections, rate }: Shape): string =>
  rate === undefined ? `${connections} connections` : `${rate} per second`;

/** One run of a load against one server. */
export interface Run extends Seen, Shape {
  readonly server: ServerName;
  readonly scenario: ScenarioName;
  readonly cpuSecondsPer1000: number;
  readonly residentMiB: number;
}

/** One start of one server, with its runs. */
export interface Life {
  readonly server: ServerName;
  readonly readyMs: number;
  /** Before any load. */
  readonly restMiB: number;
  readonly peakMiB: number;
  readonly runs: Run[];
}

export interface Bench {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly key: BenchKey;
  readonly traffic: Traffic;
  readonly agreement: Agreement;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
