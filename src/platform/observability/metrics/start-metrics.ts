import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Logger } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { JoiningDataSource } from '../../database/data-source.js';
import { Leases } from '../../database/leases.js';
import { Outbox } from '../../events/outbox.js';
import { HealthCheck } from '../../health/health-check.js';
import { listening } from '../../process/start-problem.js';
import { DeprecatedOperations } from '../../http/deprecation/deprecation.js';
import type { JsonExpressAdapter } from '../../http/server/json-express.adapter.js';
import { Metrics } from './metrics.js';
import { watchDeprecations, watchRequests, watchSharing } from './request-metrics.js';
import { watchDatabase, watchService } from './service-metrics.js';

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Collects and serves metrics until the server of this process closes. */
export async function startMetrics(app: INestApplication, settings: Settings): Promise<void> {
  const metrics = app.get(Metrics);
  const { registry } = metrics;
  const adapter = app.getHttpAdapter() as unknown as JsonExpressAdapter;
  const deprecated = app.get(DeprecatedOperations).all();
  watchRequests(metrics, () => adapter.inFlight.count);
  watchDeprecations(metrics, new Map(deprecated.map(({ name, sunset }) => [name, Date.parse(sunset)])));
  watchDatabase(metrics, app.get(JoiningDataSource));
  watchSharing(metrics);
  watchService(metrics, app.get(HealthCheck), app.get(Outbox), app.get(Leases));

  const server = await serveMetrics(() => registry.metrics(), settings);
  adapter.getHttpServer().once('close', () => {
    metrics.stop();
    server.close().closeAllConnections();
  });
}

/** Serves the result of `read` at `/metrics` on a separate port. @returns once it listens */
async function serveMetrics(
  read: () => Promise<string>,
  { metricsHost, metricsPort }: Pick<Settings, 'metricsHost' | 'metricsPort'>,
): Promise<Server> {
  const log = new Logger('Metrics');
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' || !/^\/metrics(?:\?|$)/.test(url!)) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('GET /metrics\n');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      (error: unknown) => {
        log.warn(`The metrics cannot be read: ${String(error)}`);
        response.writeHead(503).end();
      },
    );
  });
  // Never shared by a parent of node:cluster: the numbers are those of this process.
  server.listen({ port: metricsPort, host: metricsHost, exclusive: true });
  await listening(once(server, 'listening'), { host: metricsHost, port: metricsPort! }, 'METRICS_');
  const { address, family, port } = server.address() as AddressInfo;
  log.log(`Serving http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`);
  return server;
}
