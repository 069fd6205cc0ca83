import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until `holds` neither throws nor returns false; only the timeout of the test ends the wait. */
export async function eventually(holds: () => Promise<unknown>): Promise<void> {
  const doesHold = async () => (await holds()) !== false;
  while (!(await doesHold().catch(() => false))) await sleep(20);
}
