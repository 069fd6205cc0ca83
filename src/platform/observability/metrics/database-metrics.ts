import { Gauge, Histogram, type Registry } from 'prom-client';
import { batchBegun, type PoolUsage, statementEnded } from '../../database/database-channels.js';
import type { Subscriptions } from '../channel.js';

/** In seconds; after 3.5 s a statement is given up. */
const BUCKETS = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3.5];

/** Statements, batches and connections of the database. */
export function watchDatabase(
  registry: Registry,
  subscriptions: Subscriptions,
  usage: () => PoolUsage,
): void {
  const registers = [registry];
  new Gauge({
    name: 'petstore_db_pool_connections',
    help: 'Open connections to the database.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, free } = usage();
      this.set({ state: 'used' }, used);
      this.set({ state: 'free' }, free);
    },
  });
  new Gauge({
    name: 'petstore_db_pool_waiting',
    help: 'How many wait for a connection to the database.',
    registers,
    collect() {
      this.set(usage().waiting);
    },
  });
  const durations = new Histogram({
    name: 'petstore_db_query_duration_seconds',
    help: 'How long statements take, once they have a connection.',
    buckets: BUCKETS,
    registers,
  });
  const sizes = new Histogram({
    name: 'petstore_batch_size',
    help: 'How many lookups (reads, keys), pages or inserts (writes) go to the database together.',
    labelNames: ['batch'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers,
  });
  const sizesOf = {
    reads: sizes.labels('reads'),
    pages: sizes.labels('pages'),
    keys: sizes.labels('keys'),
    writes: sizes.labels('writes'),
  };

  subscriptions.add(statementEnded, (milliseconds) => durations.observe(milliseconds / 1_000));
  subscriptions.add(batchBegun, ({ batch, size }) => sizesOf[batch].observe(size));
}
