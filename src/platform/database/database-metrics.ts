import type { Metrics } from '../observability/metrics/metrics.js';
import type { JoiningDataSource } from './units/data-source.js';
import { batchBegun, statementEnded } from './database-channels.js';
import type { Leases } from './leases/leases.js';

/** In seconds; a statement times out after 3.5 s. */
const BUCKETS = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3.5];

/** What the connections do, and when work under each lease ended. */
export function watchDatabase(metrics: Metrics, source: JoiningDataSource, leases: Leases): void {
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
