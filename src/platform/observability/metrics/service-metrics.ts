import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { OutboxRepository } from '../../events/outbox-repository.js';
import { version } from '../../process/version.js';
import type { Readiness } from '../../health/readiness.js';

/** How long a scrape waits for the database. */
const SCRAPE_TIMEOUT_MS = 1_000;

/** The process, its readiness, and the outbox. */
export function watchService(registry: Registry, readiness: Readiness, outbox: OutboxRepository): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'petstore_build_info',
    help: 'Always 1.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: 'petstore_ready',
    help: 'Whether the service is to be sent requests; with several processes, whether all of them are.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(Number(readiness.isReady));
    },
  });
  new Gauge({
    name: 'petstore_outbox_waiting',
    help: 'Events that wait for a subscriber. Without a sample: nothing waits, or the database does not say.',
    labelNames: ['subscriber'],
    // Every process asks the same database.
    aggregator: 'max',
    registers,
    async collect() {
      const backlog = await Promise.race([
        outbox.backlog().catch(() => []),
        sleep(SCRAPE_TIMEOUT_MS, [], { ref: false }),
      ]);
      this.reset();
      for (const { subscriber, waiting } of backlog) this.set({ subscriber }, waiting);
    },
  });
}
