import { CONTENDERS, SERVER_NAMES, type ServerName } from '../servers/servers.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import type { Seen } from '../traffic/wrk.js';
import { rounded, type Spread, spreadOf } from './statistics.js';

/** A closed loop over `connections`; with a rate, an open loop over at most that many. */
export interface Shape {
  readonly connections: number;
  readonly rate?: number;
}

export const inWords = ({ connections, rate }: Shape): string =>
  rate === undefined ? `${connections} connections` : `${rate} per second`;

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
  readonly restMiB: number;
  readonly peakMiB: number;
  readonly runs: Run[];
}

const MEASURES = [
  'requestsPerSecond',
  'bytesPerAnswer',
  'p50Ms',
  'p99Ms',
  'cpuSecondsPer1000',
  'residentMiB',
] as const;
type Measure = (typeof MEASURES)[number];

/** All rounds of one server in one scenario and shape; without figures if no round was good. */
interface Result extends Shape, Partial<Record<Measure, Spread>> {
  readonly server: ServerName;
  readonly scenario: string;
  readonly goodRuns: number;
  /** The service's median requests per second divided by this server's. Absent at a fixed rate, which is the same for all. */
  readonly serviceRatio?: number;
}

export interface Results {
  readonly servers: readonly {
    readonly name: ServerName;
    readonly title: string;
    readonly readyMs: Spread;
    readonly restMiB: Spread;
    readonly peakMiB: Spread;
  }[];
  readonly results: readonly Result[];
  /** Runs with a fault; the results exclude their figures. */
  readonly faults: readonly string[];
}

export function resultsOf(lives: readonly Life[]): Results {
  const runs = lives.flatMap((life) => life.runs);
  const measured = SERVER_NAMES.filter((name) => lives.some(({ server }) => server === name));
  const caseOf = (run: Run) => `${run.scenario}, ${inWords(run)}`;
  const results = [...new Set(runs.map(caseOf))].flatMap((name) => {
    const same = runs.filter((run) => caseOf(run) === name);
    const groups = measured.map((server) => same.filter((run) => run.server === server));
    return withRatios(groups.filter((group) => group.length > 0).map(resultOf));
  });
  const faulty = runs.filter(({ faults }) => faults.length > 0);
  const faults = faulty.map((run) => `${run.server}, ${caseOf(run)}: ${run.faults.join(', ')}`);
  return { servers: measured.map((name) => serverOf(name, lives)), results, faults };
}

function resultOf(runs: readonly Run[]): Result {
  const { server, scenario, connections, rate } = runs[0]!;
  const good = runs.filter(({ faults }) => faults.length === 0);
  const figures = MEASURES.flatMap((measure) => {
    const spread = spreadOf(good.map((run) => run[measure]));
    return spread ? [[measure, spread] as const] : [];
  });
  const shape = { connections, ...(rate !== undefined && { rate }) };
  return { server, scenario, ...shape, goodRuns: good.length, ...Object.fromEntries(figures) };
}

/** @param results of all servers in one scenario and shape */
function withRatios(results: readonly Result[]): Result[] {
  const service = results.find(({ server }) => server === 'service')?.requestsPerSecond;
  return results.map((result) => {
    const { server, requestsPerSecond: own, rate } = result;
    if (server === 'service' || rate !== undefined || !service || !own) return result;
    return { ...result, serviceRatio: rounded(service.median / own.median) };
  });
}

function serverOf(name: ServerName, lives: readonly Life[]) {
  const own = lives.filter(({ server }) => server === name);
  const spread = (measure: 'readyMs' | 'restMiB' | 'peakMiB') => spreadOf(own.map((life) => life[measure]))!;
  const figures = { readyMs: spread('readyMs'), restMiB: spread('restMiB'), peakMiB: spread('peakMiB') };
  return { name, title: CONTENDERS[name].title, ...figures };
}
