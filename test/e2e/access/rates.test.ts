import { afterEach, describe, expect, inject, it } from 'vitest';
import { ApiKeyService } from '../../../src/access/index.js';
import { sqlite } from '../../support/engines.js';
import { RedisServer } from '../../support/databases/redis-server.js';
import { type Service, startService } from '../../support/service.js';

describe('the rate of a key', () => {
  const running: Service[] = [];
  const start = async (environment: Record<string, string>, beside?: Service) => {
    const service = await startService(sqlite, { environment, ...(beside && { beside }) });
    running.unshift(service);
    return service;
  };
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
  });

  it('is nobody’s business unless one is set', async () => {
    const service = await start({});
    const { headers } = await service.client.get('/v1/pets');
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  });

  it('is told with every answer, and kept', async () => {
    const service = await start({ RATE_LIMIT: '2/h' });
    const first = await service.client.get('/v1/pets');
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=3600');
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=1;t=3(600|5\d\d)$/);
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
  });

  it('is its own where it has one, and no other key pays for it', async () => {
    const service = await start({ RATE_LIMIT: '1000/h' });
    const terms = { name: 'slow', rate: { limit: 1, seconds: 3_600 } };
    const { secret } = await service.app.get(ApiKeyService).issue(terms, 'test', 'tester');
    const slow = service.stranger.with({ Authorization: `Bearer ${secret}` });
    expect([(await slow.get('/v1/pets')).status, (await slow.get('/v1/pets')).status]).toEqual([200, 429]);
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });

  it('leaves what needs no key alone', async () => {
    const service = await start({ RATE_LIMIT: '1/h' });
    for (let i = 0; i < 3; i++) expect((await service.stranger.get('/livez')).status).toBe(200);
  });

  it.skipIf(!inject('redisIsInstalled'))(
    'is kept by three replicas together that count in Redis',
    async () => {
      const redis = await RedisServer.start();
      const environment = { RATE_LIMIT: '200/h', REDIS_URL: redis.url };
      const first = await start(environment);
      const replicas = [first, await start(environment, first), await start(environment, first)];
      const statuses: number[] = [];
      let left = 600;
      // One request per replica at a time, as all run in this process: a replica that waits 250 ms for Redis counts for itself.
      const ask = async () => {
        while (left-- > 0) statuses.push((await replicas[left % 3]!.client.get('/v1/pets')).status);
      };
      await Promise.all(replicas.map(ask));
      expect(statuses).toHaveLength(600);
      const admitted = statuses.filter((status) => status === 200).length;
      expect(statuses.length - admitted).toBe(statuses.filter((status) => status === 429).length);
      expect(Math.abs(admitted - 200)).toBeLessThanOrEqual(10);
      await redis.stop();
    },
  );
});
