import { Counter, type Registry } from 'prom-client';
import type { Channel, Subscriptions } from '../channel.js';
import { keyLookedUp } from '../../http/caller-channels.js';
import { readingShared } from '../../http/paging/paging-channels.js';

/** What the service is spared because somebody has asked for the same. */
export function watchSharing(registry: Registry, subscriptions: Subscriptions): void {
  const countOutcomes = <Outcome extends string>(
    channel: Channel<Outcome>,
    outcomes: readonly Outcome[],
    name: string,
    help: string,
  ) => {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    const series = new Map(outcomes.map((outcome) => [outcome, counter.labels(outcome)]));
    for (const one of series.values()) one.inc(0);
    subscriptions.add(channel, (outcome) => series.get(outcome)!.inc());
  };
  countOutcomes(
    readingShared,
    ['led', 'joined'],
    'petstore_shared_reads_total',
    'Lists asked for: read by the request itself (led), or shared with others that asked for the same (joined).',
  );
  countOutcomes(
    keyLookedUp,
    ['hit', 'miss'],
    'petstore_key_cache_total',
    'Keys looked up: remembered (hit), or asked of the database (miss).',
  );
}
