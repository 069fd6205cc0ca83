import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, however long the machine takes; the test's own time limit ends it. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await sleep(20);
}
