import type { Request } from 'express';
import { Counter, Gauge, type Registry } from 'prom-client';
import { callerOf } from '../../http/caller.js';
import { operationOf } from '../../http/operation-of.js';
import { answered } from '../../http/server/server-channels.js';
import type { Subscriptions } from '../channel.js';

/** Who still uses what will be removed. `sunsets` are the removal dates, in ms since 1970, by operation. */
export function watchDeprecations(
  registry: Registry,
  subscriptions: Subscriptions,
  sunsets: ReadonlyMap<string, number>,
): void {
  const registers = [registry];
  const uses = new Counter({
    name: 'petstore_deprecated_requests_total',
    help: 'Requests to a deprecated operation, by the id of their key.',
    labelNames: ['operation', 'key'],
    registers,
  });
  const dates = new Gauge({
    name: 'petstore_deprecated_sunset_timestamp_seconds',
    help: 'When a deprecated operation is removed.',
    labelNames: ['operation'],
    aggregator: 'first',
    registers,
  });
  for (const [operation, sunset] of sunsets) dates.labels(operation).set(sunset / 1_000);

  const known = new Map<string, Counter.Internal>();
  const seriesOf = (operation: string, key: string): Counter.Internal => {
    const name = `${operation} ${key}`;
    let series = known.get(name);
    if (!series) known.set(name, (series = uses.labels(operation, key)));
    return series;
  };
  subscriptions.add(answered, ({ req }) => {
    const operation = operationOf(req as Request);
    const key = sunsets.has(operation) ? callerOf(req as Request) : undefined;
    if (key !== undefined) seriesOf(operation, key).inc();
  });
}
