import { type INestApplication, Logger } from '@nestjs/common';
import type { NestApplication } from '@nestjs/core';
import type { Settings } from '../../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { withTimeout } from './timeout.js';

/** The time limit after the drain delay: 4 s for requests, and the rest for the database. */
const CLOSE_TIMEOUT_MS = 4_800;

/**
 * Makes the service not ready at once, completes the requests in flight, then closes the database. After the drain delay it takes
 * at most 5 s, as supervisors expect. The database rolls back transactions that are not committed by then.
 */
export async function stop(
  app: INestApplication,
  { drainDelay }: Pick<Settings, 'drainDelay'>,
  signal?: NodeJS.Signals,
): Promise<void> {
  app.get(Readiness).markStopping();
  // Unlike the class, the interface lacks the parameter that passes the signal to the shutdown hooks of modules.
  const closing = (app as Pick<NestApplication, 'close'>).close(signal);
  await withTimeout(closing, drainDelay + CLOSE_TIMEOUT_MS, () =>
    new Logger('Stop').warn('Ended before everything was closed'),
  );
}
