import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` neither throws nor says false, however long the machine takes; the test's own time limit ends it. */
export async function eventually(holds: () => Promise<unknown>): Promise<void> {
  const doesHold = async () => (await holds()) !== false;
  while (!(await doesHold().catch(() => false))) await sleep(20);
}
