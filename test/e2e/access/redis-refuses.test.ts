import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { RedisServer } from '../../support/databases/redis-server.js';
import { examine } from '../../support/doctor.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-redis';
const INCR_ALONE = ['-incrby', 'ERR', '+incrby'] as const;
const SCRIPTS = ['-@scripting', 'NOPERM', '+@scripting'] as const;

describe.skipIf(!inject('redisIsInstalled'))('Redis that answers and does not count', () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let service: Program;
  let origin: string;
  let metrics: string;
  beforeAll(async () => {
    redis = await RedisServer.start();
    database = await sqlite.create();
    const settings = { MIGRATE_ON_START: 'true', METRICS_PORT: '0', RATE_LIMIT: '1000/h' };
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
  const warnings = () => service.output.match(/Redis does not count \([^"]*/g) ?? [];
  const recoveries = () => service.output.match(/Redis counts again/g)?.length ?? 0;
  /** @returns the status, and by how much the count in Redis grew */
  const counted = async () => {
    const count = async () =>
      Number(await redis.ask('GET', await redis.ask('KEYS', 'petstore:rate:1000*').then(String)));
    const before = await count();
    const { status } = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${SECRET}` } });
    return [status, (await count()) - before];
  };
  const doctor = async () => {
    const { found } = await examine({ DATABASE_URL: database.url, REDIS_URL: redis.url });
    return found.find(({ check }) => check === 'redis');
  };

  it.each([
    {
      fault: 'a read-only replica',
      word: 'READONLY',
      cause: ['REPLICAOF', '127.0.0.1', '1'],
      cure: ['REPLICAOF', 'NO', 'ONE'],
    },
    {
      fault: 'full memory',
      word: 'OOM',
      cause: ['CONFIG', 'SET', 'maxmemory', '1'],
      cure: ['CONFIG', 'SET', 'maxmemory', '0'],
    },
    ...[SCRIPTS, INCR_ALONE].map(([without, word, back]) => ({
      fault: `a user ${without}`,
      word,
      cause: ['ACL', 'SETUSER', 'default', without],
      cure: ['ACL', 'SETUSER', 'default', back],
    })),
  ])('by $fault is in gauge, log and doctor, and so is its recovery', async ({ word, cause, cure }) => {
    const [told, recovered] = [warnings().length, recoveries()];
    await eventually(async () => (await gauge()) === 1 && (await counted())[1] === 1);
    await redis.ask(...cause);
    await eventually(async () => (await gauge()) === 0);
    expect(await counted()).toEqual([200, 0]);
    expect(await doctor()).toMatchObject({
      state: 'problem',
      what: expect.stringContaining(`Redis does not count (${word} `) as string,
    });
    await redis.ask(...cure);
    await eventually(async () => (await gauge()) === 1);
    expect(await counted()).toEqual([200, 1]);
    expect(await doctor()).toEqual({ check: 'redis', state: 'ok', what: 'Redis counts.' });
    await eventually(async () => recoveries() > recovered);
    const word1 = new RegExp(
      `^Redis does not count \\(${word} .*\\)\\. Each process counts for itself until it does\\.$`,
    );
    expect([warnings().slice(told), recoveries()]).toEqual([[expect.stringMatching(word1)], recovered + 1]);
  });
});
