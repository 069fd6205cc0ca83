import { readdirSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The facts that the figures depend on; nothing identifies this machine. */
export const machineFacts = (database: string) => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  kernel: `Linux ${release()}`,
  node: process.version,
  database,
});

/** Linux reports CPU time to programs in units of 1/100 s, whatever its internal clock rate. */
const TICKS_PER_SECOND = 100;

interface Usage {
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  readonly peakMiB: number;
}

/** CPU time and memory of a process and its running descendants. */
export function usageOf(pid: number): Usage {
  const all = [pid, ...childrenOf(pid)];
  const sum = (measure: (pid: number) => number) => all.reduce((total, each) => total + measure(each), 0);
  return {
    cpuSeconds: sum(cpuSecondsOf),
    residentMiB: sum((each) => statusOf(each, 'VmRSS') / 1024),
    peakMiB: sum((each) => statusOf(each, 'VmHWM') / 1024),
  };
}

/** CPU seconds of a process and its descendants, including children that have ended. */
function cpuSecondsOfAll(pid: number): number {
  const seconds = (each: number) => ticksOf(each).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + seconds(each), 0);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((text) => text !== '')
    .map(Number)
    .flatMap((child) => [child, ...childrenOf(child)]);
}

function cpuSecondsOf(pid: number): number {
  const [user, system] = ticksOf(pid);
  return (user! + system!) / TICKS_PER_SECOND;
}

/** proc(5): utime, stime, cutime and cstime are fields 14 to 17; field 2, the name, may contain spaces. */
function ticksOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
}

function statusOf(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** Share of one core that other programs may use during a measurement. */
export const BEARABLE = 0.06;
const LOOK_MS = 500;
const MAX_ATTEMPTS = 20;

/** Measures while the machine is otherwise idle, and repeats if it was not. @throws if it stays busy */
export async function undisturbed<Result>(
  measure: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    await quiet(signal);
    const { result, share } = await shareOfOthers(measure);
    if (share <= BEARABLE) return result;
    process.stderr.write(`Others used ${Math.round(share * 100)} % of a core meanwhile; again.\n`);
  }
  throw new Error('Other programs keep this machine busy: nothing that is measured now means anything.');
}

export async function quiet(signal: AbortSignal): Promise<void> {
  const look = () => shareOfOthers(() => sleep(LOOK_MS, undefined, { signal }));
  while ((await look()).share > BEARABLE);
}

/** @returns the result, and the share of one core that programs other than ours and our children used meanwhile */
export async function shareOfOthers<Result>(work: () => Promise<Result>) {
  const before = secondsOfOthers();
  const begin = performance.now();
  const result = await work();
  return { result, share: (secondsOfOthers() - before) / ((performance.now() - begin) / 1000) };
}

/** Own CPU time includes ended children (proc_pid_stat(5)); interrupts are left out because they are partly ours. */
function secondsOfOthers(): number {
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system!) / TICKS_PER_SECOND - cpuSecondsOfAll(process.pid);
}
