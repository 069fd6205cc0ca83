import { collectDefaultMetrics } from 'prom-client';
import type { JoiningDataSource } from '../../database/data-source.js';
import { batchBegun, statementEnded } from '../../database/database-channels.js';
import type { Leases } from '../../database/leases.js';
import type { Outbox } from '../../events/outbox.js';
import type { HealthCheck } from '../../health/health-check.js';
import { version } from '../../process/version.js';
import { outputDropped } from '../logging/output.js';
import type { Metrics } from './metrics.js';

export function watchService(metrics: Metrics, health: HealthCheck, outbox: Outbox, leases: Leases): void {
  collectDefaultMetrics({ register: metrics.registry });
  metrics.gauge('petstore_build_info', 'Always 1.', (gauge) => gauge.set({ version }, 1), {
    labelNames: ['version'],
  });
  const dropped = metrics.counter(
    'petstore_log_dropped_total',
    'Lines of the log that were dropped, because their output was full, closed or not read.',
  );
  metrics.on(outputDropped, () => dropped.inc());
  metrics.queriedGauge('petstore_ready', 'Whether /readyz reports ready.', async (gauge) =>
    gauge.set(Number((await health.run()).refusal === undefined)),
  );
  metrics.queriedGauge(
    'petstore_database_read_only',
    'Whether the database refused the latest change while it could be read.',
    async (gauge) => gauge.set(Number((await health.run()).isReadOnly)),
  );
  metrics.queriedGauge(
    'petstore_outbox_waiting',
    'Events waiting for a subscriber. No sample while the database cannot be asked.',
    async (gauge) => {
      const backlog = await outbox.backlog();
      for (const subscriber of outbox.subscribers) gauge.set({ subscriber }, 0);
      for (const { subscriber, waiting } of backlog) gauge.set({ subscriber }, waiting);
    },
    { labelNames: ['subscriber'] },
  );
  metrics.queriedGauge(
    'petstore_lease_last_run_timestamp_seconds',
    'When the latest run under this lease ended, on whichever replica: purges, migrations, and jobs of modules.',
    async (gauge) => {
      for (const { name, endedAt } of await leases.states())
        if (endedAt) gauge.set({ lease: name }, endedAt / 1_000);
    },
    { labelNames: ['lease'] },
  );
  metrics.queriedGauge(
    'petstore_lease_failed',
    'Whether the latest run under this lease ended by an error.',
    async (gauge) => {
      for (const { name, endedAt, problem } of await leases.states())
        if (endedAt) gauge.set({ lease: name }, Number(typeof problem === 'string'));
    },
    { labelNames: ['lease'] },
  );
}

/** In seconds; a statement times out after 3.5 s. */
const BUCKETS = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3.5];

export function watchDatabase(metrics: Metrics, source: JoiningDataSource): void {
  const usage = () => source.usage();
  metrics.queriedGauge(
    'petstore_database_connections',
    'Connections of the database server: open, by all its clients, and max. Not on SQLite.',
    async (gauge) => {
      if (source.options.type === 'better-sqlite3') return;
      const [open] = await source.query<{ Value: string }[]>("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
      const [max] = await source.query<{ max: number }[]>('SELECT @@max_connections AS max');
      gauge.set({ state: 'open' }, Number(open!.Value));
      gauge.set({ state: 'max' }, Number(max!.max));
    },
    { labelNames: ['state'] },
  );
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
  metrics.gauge('petstore_db_pool_waiting', 'Callers waiting for a connection to the database.', (gauge) =>
    gauge.set(usage().waiting),
  );
  const durations = metrics.histogram(
    'petstore_db_query_duration_seconds',
    'Duration of statements, once they have a connection.',
    BUCKETS,
  );
  const sizes = metrics.histogram(
    'petstore_batch_size',
    'Sizes of batches: lookups (reads, keys), pages or inserts (writes) that go to the database together.',
    [1, 2, 4, 8, 16, 32, 64, 128],
    'batch',
  );
  metrics.on(statementEnded, (milliseconds) => durations.observe(milliseconds / 1_000));
  metrics.on(batchBegun, ({ batch, size }) => sizes.observe({ batch }, size));
}
