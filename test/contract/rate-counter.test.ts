import { setImmediate } from 'node:timers/promises';
import type { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from 'vitest';
import { MemoryRateCounter } from '../../src/access/adapters/redis/memory-rate-counter.js';
import { RedisRateCounter } from '../../src/access/adapters/redis/redis-rate-counter.js';
import type { RateCounter } from '../../src/access/ports/rate-counter.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { Metrics } from '../../src/platform/observability/metrics/metrics.js';
import { ManualClock, RunningClock } from '../support/clocks.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/databases/redis-server.js';
import { SlowProxy } from '../support/databases/slow-proxy.js';

const fivePerHour = { limit: 5, seconds: 3_600 };

/** In ms: so long that a Redis that works is never late, however busy this machine is. */
const PATIENCE = 10_000;

const create = (redisUrl: string, http: object, patience?: number) => {
  const metrics = new Metrics({ metricsPort: undefined } as Settings);
  const counter = new RedisRateCounter(
    redisUrl,
    metrics,
    http as HttpAdapterHost,
    new RunningClock(),
    patience,
  );
  onTestFinished(() => counter.onApplicationShutdown());
  return counter;
};

const replica = async (redisUrl: string) => {
  const counter = create(redisUrl, {}, PATIENCE);
  expect(await counter.probe()).toBeUndefined();
  return counter;
};

/** Each call of `create` returns the counter of another replica. */
function contract(create: () => Promise<RateCounter>): void {
  const take = async (counter: RateCounter, times: number, rate = fivePerHour) => {
    const usages = [];
    for (let i = 0; i < times; i++) usages.push(await counter.take('key', rate));
    return usages;
  };

  it('admits up to the limit, and returns how many requests are left', async () => {
    const usages = await take(await create(), 6);
    expect(usages.map(({ admitted }) => admitted)).toEqual([true, true, true, true, true, false]);
    expect(usages.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0]);
  });

  it('returns when the window ends', async () => {
    const [first] = await take(await create(), 1);
    expect(first!.resetIn).toBeGreaterThan(3_590_000);
    expect(first!.resetIn).toBeLessThanOrEqual(3_600_000);
  });

  it('counts each subject and each rate separately', async () => {
    const counter = await create();
    await take(counter, 5);
    expect((await counter.take('another key', fivePerHour)).admitted).toBe(true);
    expect((await counter.take('key', { limit: 5, seconds: 60 })).admitted).toBe(true);
  });

  it('admits again in the next window', async () => {
    const counter = await create();
    const perSecond = { limit: 1, seconds: 1 };
    await take(counter, 2, perSecond);
    await eventually(async () => (await counter.take('key', perSecond)).admitted);
  });

  it('admits the same number when all requests arrive at once', async () => {
    const counter = await create();
    const usages = await Promise.all(Array.from({ length: 50 }, () => counter.take('key', fivePerHour)));
    expect(usages.filter(({ admitted }) => admitted)).toHaveLength(5);
  });
}

describe('a rate', () => {
  describe('counted in memory', () => {
    contract(async () => new MemoryRateCounter(new RunningClock()));

    it.each([
      ['back', '2026-11-19T12:00:00Z'],
      ['forward', '2026-11-21T12:00:00Z'],
    ])('ends its window at the planned time, after the clock was set %s by a day', async (_, time) => {
      const clock = new ManualClock();
      const counter = new MemoryRateCounter(clock);
      const perMinute = { limit: 1, seconds: 60 };
      await counter.take('key', perMinute);
      clock.advance(1_000);
      clock.set(time);
      expect(await counter.take('key', perMinute)).toEqual({
        admitted: false,
        remaining: 0,
        resetIn: 59_000,
      });
      clock.advance(58_999);
      expect(await counter.take('key', perMinute)).toMatchObject({ admitted: false, resetIn: 1 });
      clock.advance(1);
      expect(await counter.take('key', perMinute)).toMatchObject({ admitted: true, resetIn: 60_000 });
    });
  });

  describe.skipIf(!inject('redisIsInstalled'))('counted in Redis', () => {
    let server: RedisServer;
    let redis: Redis;
    beforeAll(async () => (server = await RedisServer.start()));
    afterAll(() => server.stop());
    beforeEach(async () => {
      redis = new Redis(server.url);
      await redis.flushall();
    });
    afterEach(() => redis.disconnect());
    contract(() => replica(server.url));

    it('is shared by several replicas', async () => {
      const replicas = await Promise.all([1, 2, 3].map(() => replica(server.url)));
      const usages = await Promise.all(
        Array.from({ length: 30 }, (_, i) => replicas[i % 3]!.take('key', fivePerHour)),
      );
      expect(usages.filter(({ admitted }) => admitted)).toHaveLength(5);
    });

    // Redis computes the end of a window from the clock of its machine.
    it('ends at most a window later, after the clock of Redis was set back by a day', async () => {
      const counter = await replica(server.url);
      const perMinute = { limit: 1, seconds: 60 };
      await counter.take('key', perMinute);
      const [key] = await redis.keys('petstore:rate:1/m:key');
      await redis.pexpire(key!, 86_459_000);
      const { admitted, resetIn } = await counter.take('key', perMinute);
      expect([admitted, resetIn]).toEqual([false, 60_000]);
      expect(await redis.pttl(key!)).toBeLessThanOrEqual(60_000);
      await redis.pexpire(key!, 30_000);
      expect((await counter.take('key', perMinute)).resetIn).toBeLessThanOrEqual(30_000);
    });

    it('is counted by each replica alone while Redis rejects writes, and the probe reports the reason', async () => {
      const counter = create(server.url, { httpAdapter: {} }, PATIENCE);
      counter.onModuleInit();
      expect(await counter.probe()).toBeUndefined();
      await counter.take('key', fivePerHour);
      await redis.replicaof('127.0.0.1', '1');
      const { admitted, remaining } = await counter.take('key', fivePerHour);
      const told = await counter.probe();
      await redis.replicaof('NO', 'ONE');
      expect([admitted, remaining, told]).toEqual([true, 4, expect.stringMatching(/^READONLY /)]);
      expect(await counter.probe()).toBeUndefined();
      const [key] = await redis.keys('petstore:rate:5*');
      await eventually(async () => {
        await counter.take('key', fivePerHour);
        return (await redis.get(key!)) === '2';
      });
    });

    describe('is counted by a service', () => {
      const perHour = { limit: 1_000_000, seconds: 3_600 };
      let delay: number;
      let proxy: SlowProxy;
      let service: RedisRateCounter;
      const counted = async () => Number(await redis.get('petstore:rate:1000000/h:key'));
      /** How many commands of the service Redis has executed: one for each request that it counts and for each probe. */
      const executed = async () =>
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
      const countsInRedis = async () => {
        const before = await counted();
        await service.take('key', perHour);
        return (await counted()) > before;
      };
      beforeEach(async () => {
        await redis.config('RESETSTAT');
        delay = 0;
        proxy = await SlowProxy.before(server.port, () => delay);
        onTestFinished(() => proxy.close());
        service = create(`redis://127.0.0.1:${proxy.port}`, { httpAdapter: {} });
        service.onModuleInit();
        await eventually(countsInRedis);
      });

      it('alone after one late response of Redis, until a probe gets a response in time', async () => {
        delay = 400;
        const [countedBefore, executedBefore] = [await counted(), await executed()];
        // Two probes are late, too.
        for (let probes = 0; probes < 2;) {
          expect(await service.take('key', perHour)).toMatchObject({ admitted: true });
          probes = (await executed()) - executedBefore - ((await counted()) - countedBefore);
        }
        expect((await counted()) - countedBefore).toBeLessThanOrEqual(1);
        delay = 0;
        await eventually(countsInRedis);
      });

      it('alone after one request that waited for a Redis that hangs', async () => {
        const before = await counted();
        server.freeze();
        onTestFinished(() => server.thaw());
        // The service connects again meanwhile.
        const connectionsBefore = proxy.connections;
        for (let more = 200; more > 0;) {
          expect(await service.take('key', perHour)).toMatchObject({ admitted: true });
          await setImmediate();
          if (proxy.connections > connectionsBefore) more -= 1;
        }
        server.thaw();
        expect((await counted()) - before).toBeLessThanOrEqual(1);
        await eventually(countsInRedis);
      });
    });
  });
});
