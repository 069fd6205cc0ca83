import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Check, ok, warning } from '../doctor/check.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { DailyUsageRepository } from './deprecation/daily-usage.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';

/** Deletes rows that are too old. Several replicas may do so at once. */
@Injectable()
export class Purge {
  readonly #log = new Logger('Purge');
  #round: Promise<void> | undefined;

  constructor(
    private readonly responses: IdempotencyStore,
    private readonly usage: DailyUsageRepository,
    metrics: Metrics,
  ) {
    metrics.queriedGauge(
      'petstore_purge_lag_seconds',
      'How long the oldest kept answer is there beyond its time.',
      async (gauge) => gauge.set((await this.responses.purgeLag()) / 1_000),
      { aggregator: 'max' },
    );
  }

  /** A large backlog takes longer than a minute; the rounds that fall into it are left out. */
  @Interval(60_000)
  run(): Promise<void> {
    return (this.#round ??= this.#purge().finally(() => (this.#round = undefined)));
  }

  async #purge(): Promise<void> {
    for (const rows of [this.responses, this.usage]) {
      // If the database fails, the next minute is early enough.
      await rows
        .purge()
        .catch((error: unknown) => this.#log.warn(`Old rows stay for now: ${reasonOf(error)}`));
    }
  }
}

const reasonOf = (error: unknown) => String((error as Error).cause ?? error);

/** How long an answer may stay beyond its time before something is wrong. */
const MAX_LAG_MS = 3_600_000;

/** Whether old rows are deleted. */
@Injectable()
export class PurgeCheck extends Check {
  readonly name = 'purge';
  readonly needs = 'tables';

  constructor(private readonly responses: IdempotencyStore) {
    super();
  }

  override async look() {
    const lag = await this.responses.purgeLag();
    if (lag < MAX_LAG_MS) return [ok('What is kept for a time only is deleted in time.')];
    const what = `Answers are kept ${Math.round(lag / MAX_LAG_MS)} h beyond their time.`;
    return [warning(what, 'Start the service, which deletes them; its log says what keeps it from that.')];
  }
}
