import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time to programs in units of 1/100 s, whatever its internal clock rate. */
const TICKS_PER_SECOND = 100;

interface Usage {
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  /** Peak resident memory. */
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
export function cpuSecondsOfAll(pid: number): number {
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
