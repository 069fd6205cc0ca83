import { Injectable } from '@nestjs/common';
import { Check, ok, warning } from '../../doctor/check.js';
import { Metrics } from '../../observability/metrics/metrics.js';
import { IdempotencyStore } from './idempotency-store.js';

/** How long an expired answer may stay before it is a problem. */
const MAX_LAG_MS = 3_600_000;

/** Whether old rows are deleted; judged by stored responses, of which there are most. */
@Injectable()
export class PurgeCheck extends Check {
  readonly name = 'purge';
  readonly needs = 'tables';

  constructor(
    private readonly responses: IdempotencyStore,
    metrics: Metrics,
  ) {
    super();
    metrics.queriedGauge(
      'petstore_purge_lag_seconds',
      'How long the oldest stored answer is past its retention.',
      async (gauge) => gauge.set((await this.responses.purgeLag()) / 1_000),
      { aggregator: 'max' },
    );
  }

  override async run() {
    const lag = await this.responses.purgeLag();
    if (lag < MAX_LAG_MS) return [ok('Expired answers are deleted in time.')];
    const what = `Answers are kept ${Math.round(lag / MAX_LAG_MS)} h beyond their time.`;
    return [warning(what, 'Start the service, which deletes them; its log says why it does not.')];
  }
}
