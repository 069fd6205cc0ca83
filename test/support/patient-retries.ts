import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/platform/database/index.js';
import { type Repeatable, Retries } from './rooms/database.js';

/** In ms. Longer than a busy machine makes anybody wait, and shorter than the time limit of a test on it. */
const DEADLINE = 60_000;

/** Retries longer than a service does, because on a busy machine many callers may wait long for a connection or a lock. */
export class PatientRetries extends Retries {
  override async run<Result>(repeatable: Repeatable, work: () => Promise<Result>) {
    const startedAt = performance.now();
    for (let runs = 1; ; runs++) {
      try {
        return await super.run(repeatable, work);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        if (error.isOutcomeUnknown && repeatable !== 'always') throw error;
        const waited = performance.now() - startedAt;
        if (waited > DEADLINE) {
          throw new Error(`${runs} runs of the retries failed within ${Math.round(waited)} ms`, {
            cause: error,
          });
        }
        await sleep(20);
      }
    }
  }
}
