import { spawnSync } from 'node:child_process';

const taskset = (...args: string[]) => spawnSync('taskset', args, { encoding: 'utf8' });

/** The cores that this process may use, as Linux numbers them; empty if unknown. */
export function cores(): number[] {
  const list = /: ([\d,-]+)\s*$/.exec(taskset('-c', '-p', String(process.pid)).stdout ?? '')?.[1];
  return (list?.split(',') ?? []).flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** Restricts a process and all of its threads to these cores. */
export function pin(pid: number, ...to: number[]): void {
  const { status, stderr } = taskset('-a', '-c', '-p', to.join(), String(pid));
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}
