import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOfAll } from '../servers/usage.js';

/** Share of one core that other programs may use during a measurement. */
const BEARABLE = 0.06;
const LOOK_MS = 500;
const MAX_ATTEMPTS = 20;
const TICKS_PER_SECOND = 100;

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

/** Waits until other programs are idle. */
export async function quiet(signal: AbortSignal): Promise<void> {
  const look = () => shareOfOthers(() => sleep(LOOK_MS, undefined, { signal }));
  while ((await look()).share > BEARABLE);
}

/** @returns the result, and the share of one core that programs other than ours and our children used meanwhile */
async function shareOfOthers<Result>(work: () => Promise<Result>) {
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
