import { expect, it } from 'vitest';
import { readSettings } from '../../../src/platform/config/settings.js';
import { batchBegun, statementEnded } from '../../../src/platform/database/database-channels.js';
import {
  answered,
  keyLookedUp,
  rateExceeded,
  readCoalesced,
  requestRejected,
} from '../../../src/platform/http/http-channels.js';
import { startMetrics } from '../../../src/platform/observability/metrics/start-metrics.js';
import { startService } from '../../support/service.js';

const IN_MEMORY = { create: async () => ({ url: 'sqlite::memory:', drop: async () => undefined }) };
const CHANNELS = {
  answered,
  batchBegun,
  keyLookedUp,
  rateExceeded,
  readCoalesced,
  requestRejected,
  statementEnded,
};
const listenedTo = () =>
  Object.entries(CHANNELS)
    .filter(([, { hasSubscribers }]) => hasSubscribers)
    .map(([name]) => name);

it('Nobody listens to what the service does, unless the operator wants metrics, and nobody does after its end', async () => {
  const service = await startService(IN_MEMORY, { environment: { LOG_LEVEL: 'warn' } });
  expect((await service.client.get('/v1/pets')).status).toBe(200);
  expect(listenedTo()).toEqual([]);
  await startMetrics(service.app, readSettings({ METRICS_PORT: '0' }));
  expect(listenedTo()).toEqual(Object.keys(CHANNELS));
  await service.stop();
  expect(listenedTo()).toEqual([]);
});
