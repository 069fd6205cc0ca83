import { type INestApplication, Logger } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { withTimeout } from './timeout.js';

/** The limit after the drain delay: requests have 4 s, the database what is left. */
const CLOSE_TIMEOUT_MS = 4_800;

/**
 * Makes the service not ready at once, answers the requests it has, then closes the database. It takes at most 5 s, as
 * supervisors expect: the database rolls back what is not committed by then.
 */
export async function stop(
  app: INestApplication,
  { drainDelay }: Pick<Settings, 'drainDelay'>,
): Promise<void> {
  app.get(Readiness).markStopping();
  await withTimeout(app.close(), drainDelay + CLOSE_TIMEOUT_MS, () =>
    new Logger('Stop').warn('Ended before everything was closed'),
  );
}
