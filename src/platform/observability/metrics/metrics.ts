import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client';
import { Settings } from '../../config/settings.js';
import type { Channel } from '../channel.js';

type GaugeOptions = Pick<GaugeConfiguration<string>, 'labelNames'>;

/** How long a scrape waits for queried gauges. It is longer than a health check needs to detect an unavailable database. */
const SCRAPE_TIMEOUT_MS = 2_000;

/**
 * The metrics of this process, by the service and its modules. Names follow Prometheus: `petstore_`, the module, what is measured
 * with its unit, and `_total` for a counter. @throws Error if a name is taken
 */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();
  readonly #stops: (() => void)[] = [];

  constructor(private readonly settings: Settings) {}

  counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  histogram(name: string, help: string, buckets: number[], ...labelNames: string[]): Histogram {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.registry] });
  }

  /** `collect` sets the gauge from memory at each scrape. `options` contains the labels. */
  gauge(name: string, help: string, collect: (gauge: Gauge) => void, options: GaugeOptions = {}): void {
    const registers = [this.registry];
    const gauge: Gauge = new Gauge({ name, help, registers, ...options, collect: () => collect(gauge) });
  }

  /** A gauge whose `collect` takes time, at most two seconds. It runs after all other gauges, so they do not count its work. */
  queriedGauge(
    name: string,
    help: string,
    collect: (gauge: Gauge) => Promise<void>,
    options: GaugeOptions = {},
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      ...options,
      collect: async () => {
        gauge.reset();
        const collected = Promise.resolve(gauge)
          .then(collect)
          .catch(() => gauge.reset());
        await Promise.race([collected, sleep(SCRAPE_TIMEOUT_MS, undefined, { ref: false })]);
      },
    });
  }

  /** Subscribes to a channel. If no metrics are served, it does not subscribe, so publishing costs nothing. */
  on<Message>(channel: Channel<Message>, listener: (message: Message) => void): void {
    if (this.settings.metricsPort === undefined) return;
    channel.subscribe(listener);
    this.#stops.push(() => channel.unsubscribe(listener));
  }

  onApplicationShutdown(): void {
    for (const stop of this.#stops) stop();
  }
}
