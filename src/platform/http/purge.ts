import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DailyUsageRepository } from './deprecation/daily-usage.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';

/** Deletes rows that are too old. Several replicas may do so at once. */
@Injectable()
export class Purge {
  readonly #log = new Logger('Purge');

  constructor(
    private readonly responses: IdempotencyStore,
    private readonly usage: DailyUsageRepository,
  ) {}

  @Interval(60_000)
  async run(): Promise<void> {
    for (const rows of [this.responses, this.usage]) {
      // If the database fails, the next minute is early enough.
      await rows.purge().catch((error: unknown) => this.#log.debug(String(error)));
    }
  }
}
