import { collectDefaultMetrics } from 'prom-client';
import { batchBegun, type PoolUsage, statementEnded } from '../../database/database-channels.js';
import type { OutboxRepository } from '../../events/outbox-repository.js';
import type { Readiness } from '../../health/readiness.js';
import { version } from '../../process/version.js';
import type { Metrics } from './metrics.js';

/** The process, its readiness, and the outbox. */
export function watchService(metrics: Metrics, readiness: Readiness, outbox: OutboxRepository): void {
  collectDefaultMetrics({ register: metrics.registry });
  metrics.gauge('petstore_build_info', 'Always 1.', (gauge) => gauge.set({ version }, 1), {
    labelNames: ['version'],
    aggregator: 'first',
  });
  metrics.gauge(
    'petstore_ready',
    'Whether the service is to be sent requests; with several processes, whether all of them are.',
    (gauge) => gauge.set(Number(readiness.isReady)),
    { aggregator: 'min' },
  );
  metrics.gauge(
    'petstore_outbox_waiting',
    'Events that wait for a subscriber. Without a sample: nothing waits, or the database does not say.',
    async (gauge) => {
      for (const { subscriber, waiting } of await outbox.backlog()) gauge.set({ subscriber }, waiting);
    },
    // Every process asks the same database.
    { labelNames: ['subscriber'], aggregator: 'max' },
  );
}

/** In seconds; after 3.5 s a statement is given up. */
const BUCKETS = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3.5];

/** Statements, batches and connections of the database. */
export function watchDatabase(metrics: Metrics, usage: () => PoolUsage): void {
  metrics.gauge(
    'petstore_db_pool_connections',
    'Open connections to the database.',
    (gauge) => {
      const { used, free } = usage();
      gauge.set({ state: 'used' }, used);
      gauge.set({ state: 'free' }, free);
    },
    { labelNames: ['state'] },
  );
  metrics.gauge('petstore_db_pool_waiting', 'How many wait for a connection to the database.', (gauge) =>
    gauge.set(usage().waiting),
  );
  const durations = metrics.histogram(
    'petstore_db_query_duration_seconds',
    'How long statements take, once they have a connection.',
    BUCKETS,
  );
  const sizes = metrics.histogram(
    'petstore_batch_size',
    'How many lookups (reads, keys), pages or inserts (writes) go to the database together.',
    [1, 2, 4, 8, 16, 32, 64, 128],
    'batch',
  );
  const sizesOf = {
    reads: sizes.labels('reads'),
    pages: sizes.labels('pages'),
    keys: sizes.labels('keys'),
    writes: sizes.labels('writes'),
  };
  metrics.on(statementEnded, (milliseconds) => durations.observe(milliseconds / 1_000));
  metrics.on(batchBegun, ({ batch, size }) => sizesOf[batch].observe(size));
}
