import { afterEach, describe, expect, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

/** How requests are counted, in memory or in Redis for several replicas: test/contract/rate-counter.test.ts. */
describe('the rate of a key', () => {
  let service: Service;
  const start = async (environment: Record<string, string>) =>
    (service = await startService(sqlite, { environment }));
  afterEach(() => service.stop());

  it('is not limited unless a rate is set', async () => {
    await start({});
    const { headers } = await service.client.get('/v1/pets');
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  });

  it('is in the headers of every response, and requests beyond it get 429', async () => {
    await start({ RATE_LIMIT: '2/h' });
    const first = await service.client.get('/v1/pets');
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=3600');
    expect(first.headers.get('ratelimit')).toBe('"key";r=1;t=3600');
    await service.client.get('/v1/pets');
    const refused = await service.client.get('/v1/pets');
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    const accept = { headers: { Accept: 'application/problem+json' } };
    expect((await service.client.send('GET', '/v1/pets', accept)).json).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'rate_limited',
      'violated-policies': ['key'],
    });
    expect((await service.stranger.get('/livez')).status).toBe(200);
  });

  it('says when requests are admitted again, also after the clock was set back by a day', async () => {
    await start({ RATE_LIMIT: '1/m' });
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    service.clock.advance(1_000);
    service.clock.set('2026-11-19T12:00:00Z');
    const refused = await service.client.get('/v1/pets');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '59']);
    service.clock.advance(59_000);
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });

  it('counts only the requests of its own key', async () => {
    await start({ RATE_LIMIT: '1000/h' });
    const terms = { name: 'slow', rate: { limit: 1, seconds: 3_600 } };
    const { secret } = await service.app.get(ApiKeyService).issue(terms, 'test', 'tester');
    const slow = service.stranger.with({ Authorization: `Bearer ${secret}` });
    expect([(await slow.get('/v1/pets')).status, (await slow.get('/v1/pets')).status]).toEqual([200, 429]);
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });
});
