import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseUnavailable } from '../database/database-errors.js';

/** How long the database may take for the shortest of all answers, in ms. */
const PATIENCE = 1_000;

/** Asks the database for a sign of life. Whoever wants one meanwhile gets the same: watching must not be a burden. */
@Injectable()
export class DatabaseProbe {
  #asked: Promise<void> | undefined;

  constructor(@Inject(DataSource) private readonly source: Pick<DataSource, 'query'>) {}

  /** @throws DatabaseUnavailable, also when the answer takes too long */
  answers(): Promise<void> {
    this.#asked ??= this.#ask().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  async #ask(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new DatabaseUnavailable(new Error(`no answer within ${PATIENCE} ms`), 'lost');
      timer = setTimeout(() => reject(error), PATIENCE);
    });
    try {
      await Promise.race([this.source.query('SELECT 1'), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
