import { type INestApplication, Logger } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { withTimeout } from './timeout.js';

/** How long all of it may take, in ms, after the time for balancers: requests have 4 s, the database what is left. */
const CLOSE_TIMEOUT_MS = 4_800;

/**
 * Says at once that the service is not to be sent requests any more, answers those it has, then closes the database. Who
 * restarts it counts on 5 s, so it waits for nothing longer: what is not committed by then is undone by the database.
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
