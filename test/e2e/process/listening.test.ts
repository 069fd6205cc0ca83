import { expect, it } from 'vitest';
import { batchBegun, statementEnded } from '../../../src/platform/database/database-channels.js';
import { keyLookedUp, rateExceeded } from '../../../src/access/adapters/http/bearer.guard.js';
import { answered, readCoalesced, requestRejected } from '../../../src/platform/observability/requests.js';
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
  const start = async (environment: Record<string, string>) => {
    const service = await startService(IN_MEMORY, { environment: { LOG_LEVEL: 'warn', ...environment } });
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    return service;
  };
  const quiet = await start({});
  expect(listenedTo()).toEqual([]);
  await quiet.stop();
  const watched = await start({ METRICS_PORT: '0' });
  expect(listenedTo()).toEqual(Object.keys(CHANNELS));
  await watched.stop();
  expect(listenedTo()).toEqual([]);
});
