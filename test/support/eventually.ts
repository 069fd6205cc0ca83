import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` neither throws nor returns false; only the time limit of the test ends it. */
export async function eventually(holds: () => Promise<unknown>): Promise<void> {
  const doesHold = async () => (await holds()) !== false;
  while (!(await doesHold().catch(() => false))) await sleep(20);
}
