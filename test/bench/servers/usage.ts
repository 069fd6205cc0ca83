import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports processor time to programs in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

interface Usage {
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  /** The most that was ever resident. */
  readonly peakMiB: number;
}

/** What a process and its children have used. */
export function usageOf(pid: number): Usage {
  const all = [pid, ...childrenOf(pid)];
  const sum = (measure: (pid: number) => number) => all.reduce((total, each) => total + measure(each), 0);
  return {
    cpuSeconds: sum(cpuSecondsOf),
    residentMiB: sum((each) => statusOf(each, 'VmRSS') / 1024),
    peakMiB: sum((each) => statusOf(each, 'VmHWM') / 1024),
  };
}

/** What a process and its children have used, with those that have ended. */
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

/** proc(5): utime, stime, cutime and cstime are the fields from the 14th on; the second, the name, may hold spaces. */
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
