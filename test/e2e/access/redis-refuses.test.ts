import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { RedisServer } from '../../support/databases/redis-server.js';
import { examine } from '../../support/doctor.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-redis';

describe.skipIf(!inject('redisIsInstalled'))('Redis that answers and does not count', () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let service: Program;
  let origin: string;
  let metrics: string;
  beforeAll(async () => {
    redis = await RedisServer.start();
    database = await sqlite.create();
    const settings = { MIGRATE_ON_START: 'true', METRICS_PORT: '0', RATE_LIMIT: '1000000/h' };
    const access = { BOOTSTRAP_API_KEY: SECRET, DATABASE_URL: database.url, REDIS_URL: redis.url };
    service = startBundled({ ...settings, ...access });
    origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
    metrics = `${(await service.printed(/Serving (http:\S+)\/metrics/))[1]}/metrics`;
  });
  afterAll(async () => {
    await service.stop();
    await redis.stop();
    await database.drop();
  });

  const gauge = async () => (await Scrape.of(metrics)).value('petstore_redis_connected');
  const lines = (begin: string) => service.output.split(begin).length - 1;
  const warnings = (word = '') => lines(`Redis does not count (${word}`);
  const recoveries = () => lines('Redis counts again.');
  /** @returns the status, and by how much the count in Redis grew */
  const counted = async () => {
    const count = async () =>
      Number(await redis.ask('GET', await redis.ask('KEYS', 'petstore:rate:1000000*').then(String)));
    const before = await count();
    const { status } = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${SECRET}` } });
    return [status, (await count()) - before];
  };
  const doctor = async () => {
    const { found } = await examine({ DATABASE_URL: database.url, REDIS_URL: redis.url });
    return found.find(({ check }) => check === 'redis');
  };

  /** How many commands Redis has refused. */
  const refusals = async () => {
    const text = String(await redis.ask('INFO', 'errorstats'));
    return [...text.matchAll(/count=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  it('hangs: that costs one time limit for each reconnection, and each process counts for itself', async () => {
    const gaugeIs = (value: number) => eventually(async () => (await gauge()) === value);
    await gaugeIs(1);
    redis.freeze();
    onTestFinished(() => redis.thaw());
    const begunAt = performance.now();
    let late = 0;
    for (let requests = 0; requests < 250 || performance.now() - begunAt < 2_500; requests++) {
      const askedAt = performance.now();
      const answer = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${SECRET}` } });
      expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=\d+;/);
      if (performance.now() - askedAt > 300) late += 1;
    }
    // A connection is tried again after 2 s.
    expect(late).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - begunAt) / 2_000));
    await gaugeIs(0);
    expect(await doctor()).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('Redis does not count (Socket timeout') as string,
    });
    redis.thaw();
    await gaugeIs(1);
    expect((await counted())[1]).toBe(1);
    await eventually(async () => warnings() === recoveries());
  });

  it('is a read-only replica: that is in gauge, log and doctor, and so is its recovery', async () => {
    const gaugeIs = (value: number) => eventually(async () => (await gauge()) === value);
    const told = warnings('READONLY');
    // Again if the machine was so busy that Redis was late just then, which is logged in the place of the refusal.
    await eventually(async () => {
      await redis.ask('REPLICAOF', 'NO', 'ONE');
      await gaugeIs(1);
      await redis.ask('REPLICAOF', '127.0.0.1', '1');
      await gaugeIs(0);
      return warnings('READONLY') > told;
    });
    const refused = await refusals();
    expect(await counted()).toEqual([200, 0]);
    expect(await doctor()).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('Redis does not count (READONLY ') as string,
    });
    // By more than one probe: a second line would be written.
    await eventually(async () => (await refusals()) > refused + 4);
    await redis.ask('REPLICAOF', 'NO', 'ONE');
    await gaugeIs(1);
    expect(await counted()).toEqual([200, 1]);
    expect(await doctor()).toEqual({ check: 'redis', state: 'ok', what: 'Redis counts.' });
    await eventually(async () => warnings() === recoveries());
    expect(warnings('READONLY')).toBe(told + 1);
  });
});
