import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { collectDefaultMetrics } from 'prom-client';
import { listening } from '../../config/listening.js';
import { Settings } from '../../config/settings.js';
import { version } from '../../config/version.js';
import { outputDropped } from '../logging/output.js';
import { Metrics } from './metrics.js';

/** Serves the metrics at `/metrics`, on a port of their own, if that port is configured. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Metrics');
  #server: Server | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly http: HttpAdapterHost,
  ) {}

  /** @throws BadConfiguration if the server cannot listen on this host and port */
  async onApplicationBootstrap(): Promise<void> {
    const { metricsHost: host, metricsPort: port } = this.settings;
    // A command does not serve anything.
    if (port === undefined || !this.http.httpAdapter) return;
    this.#collect();
    const { registry } = this.metrics;
    const server = createServer(({ method, url }, response) => {
      if (method !== 'GET' || !/^\/metrics(?:\?|$)/.test(url!)) {
        response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('GET /metrics\n');
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
        (error: unknown) => {
          this.#log.warn(`The metrics cannot be read: ${String(error)}`);
          response.writeHead(503).end();
        },
      );
    });
    // A parent of node:cluster must not share the port, because each process counts only its own work.
    server.listen({ port, host, exclusive: true });
    await listening(once(server, 'listening'), { host, port }, 'METRICS_');
    const { address, family, port: actual } = server.address() as AddressInfo;
    this.#log.log(`Serving http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`);
    this.#server = server;
  }

  onApplicationShutdown(): void {
    this.#server?.close().closeAllConnections();
  }

  /** Metrics of the process, which do not belong to any room. */
  #collect(): void {
    const { metrics } = this;
    collectDefaultMetrics({ register: metrics.registry });
    metrics.gauge('petstore_build_info', 'Always 1.', (gauge) => gauge.set({ version }, 1), {
      labelNames: ['version'],
    });
    const dropped = metrics.counter(
      'petstore_log_dropped_total',
      'Lines of the log that were dropped, because their output was full, closed or not read.',
    );
    metrics.on(outputDropped, () => dropped.inc());
  }
}
