import cluster from 'node:cluster';
import type { INestApplication } from '@nestjs/common';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Settings } from '../../config/settings.js';
import { JoiningDataSource } from '../../database/data-source.js';
import { OutboxRepository } from '../../events/outbox-repository.js';
import { Readiness } from '../../health/readiness.js';
import { DeprecatedOperations } from '../../http/deprecation/deprecated-operations.js';
import type { JsonExpressAdapter } from '../../http/server/json-express.adapter.js';
import { watchDatabase } from './database-metrics.js';
import { watchDeprecations } from './deprecation-metrics.js';
import { Subscriptions } from '../channel.js';
import { serveMetrics } from './metrics-server.js';
import { watchRequests } from './request-metrics.js';
import { watchService } from './service-metrics.js';
import { watchSharing } from './sharing-metrics.js';

/** Counts from now on what this process does, until its server closes, and serves the figures, or hands them to the primary. */
export async function startMetrics(app: INestApplication, settings: Settings): Promise<void> {
  const registry = new Registry();
  const subscriptions = new Subscriptions();
  const adapter = app.getHttpAdapter() as unknown as JsonExpressAdapter;
  const deprecated = app.get(DeprecatedOperations).all();
  watchRequests(registry, subscriptions, () => adapter.inFlight.count);
  watchDeprecations(
    registry,
    subscriptions,
    new Map(deprecated.map(({ name, deprecation }) => [name, Date.parse(deprecation.sunset)])),
  );
  watchDatabase(registry, subscriptions, () => app.get(JoiningDataSource).usage());
  watchSharing(registry, subscriptions);
  watchService(registry, app.get(Readiness), app.get(OutboxRepository));

  const server = cluster.isWorker ? undefined : await serveMetrics(() => registry.metrics(), settings);
  if (!server) answerPrimary(registry);
  adapter.getHttpServer().once('close', () => {
    subscriptions.stop();
    server?.close().closeAllConnections();
  });
}

/** Serves the sum of what the workers count. */
export async function startMetricsOfWorkers(settings: Settings): Promise<void> {
  const workers = new AggregatorRegistry();
  await serveMetrics(() => workers.clusterMetrics(), settings);
}

/** Lets the primary have the figures of this worker whenever it asks. */
function answerPrimary(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}
