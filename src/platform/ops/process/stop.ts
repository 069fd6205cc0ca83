import { type INestApplication, Logger } from '@nestjs/common';
import type { NestApplication } from '@nestjs/core';
import type { Settings } from '../../config/settings.js';
import { Readiness } from '../health/readiness.js';
import { withTimeout } from './timeout.js';

/** The time limit after the drain delay: 4 s for requests, the rest for the database. */
const CLOSE_TIMEOUT_MS = 4_800;

/**
 * Makes the service not ready at once, answers the requests in flight, then closes the database. Takes at most 5 s, as
 * supervisors expect: the database rolls back what is not committed by then.
 */
export async function stop(
  app: INestApplication,
  { drainDelay }: Pick<Settings, 'drainDelay'>,
  signal?: NodeJS.Signals,
): Promise<void> {
  app.get(Readiness).markStopping();
  // The interface lacks the parameter of the class, which passes the signal to the shutdown hooks of modules.
  const closing = (app as Pick<NestApplication, 'close'>).close(signal);
  await withTimeout(closing, drainDelay + CLOSE_TIMEOUT_MS, () =>
    new Logger('Stop').warn('The process ended before all connections were closed'),
  );
}
