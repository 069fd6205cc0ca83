import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseUnavailable } from '../database/database-errors.js';
import { withTimeout } from '../process/timeout.js';

const PROBE_TIMEOUT_MS = 1_000;

/** Runs the cheapest statement. Concurrent probes share it, so that they do not add to the load. */
@Injectable()
export class DatabaseProbe {
  #running: Promise<void> | undefined;

  constructor(@Inject(DataSource) private readonly source: Pick<DataSource, 'query'>) {}

  /** @throws DatabaseUnavailable, also when the answer takes too long */
  answers(): Promise<void> {
    this.#running ??= this.#ask().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #ask(): Promise<void> {
    await withTimeout(this.source.query('SELECT 1'), PROBE_TIMEOUT_MS, () => {
      throw new DatabaseUnavailable(new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`), 'lost');
    });
  }
}
