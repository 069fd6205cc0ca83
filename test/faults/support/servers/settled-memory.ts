import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './replica.js';

/**
 * In MB, without garbage; the system takes some time to reclaim freed memory. The replica must have been started with
 * `collect-garbage.mjs`.
 */
export async function settledMemory(replica: Replica): Promise<number> {
  let least = replica.residentMemory;
  for (;;) {
    process.kill(replica.pid, 'SIGURG');
    await sleep(500);
    const now = replica.residentMemory;
    if (now > least - 1) return Math.min(least, now);
    least = now;
  }
}
