import { expect, inject, it, onTestFinished } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { RedisServer } from '../../support/databases/redis-server.js';
import { examine } from '../../support/doctor.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';

const SECRET = 'bootstrap-key-for-the-test-of-redis';

// A Redis that rejects writes is in test/contract/rate-counter.test.ts.
it.skipIf(!inject('redisIsInstalled'))(
  'A Redis that hangs delays one request, and each process counts for itself until Redis responds',
  async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.stop());
    const database = await sqlite.create();
    onTestFinished(() => database.drop());
    const settings = { MIGRATE_ON_START: 'true', METRICS_PORT: '0', RATE_LIMIT: '1000000/h' };
    const access = { BOOTSTRAP_API_KEY: SECRET, DATABASE_URL: database.url, REDIS_URL: redis.url };
    const service = startBundled({ ...settings, ...access });
    onTestFinished(async () => void (await service.stop()));
    const origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
    const metrics = `${(await service.printed(/Serving (http:\S+)\/metrics/))[1]}/metrics`;
    const gaugeIs = (value: number) =>
      eventually(async () => (await Scrape.of(metrics)).value('petstore_redis_connected') === value);
    const logged = (begin: string) => service.output.split(begin).length - 1;
    const ask = () => fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${SECRET}` } });
    const count = async () =>
      Number(await redis.ask('GET', await redis.ask('KEYS', 'petstore:rate:1000000*').then(String)));

    await gaugeIs(1);
    await eventually(async () => {
      await ask();
      return (await count()) > 0;
    });
    const before = await count();
    redis.freeze();
    onTestFinished(() => redis.thaw());
    for (let requests = 0; requests < 250; requests++)
      expect((await ask()).headers.get('ratelimit')).toMatch(/^"key";r=\d+;/);
    await gaugeIs(0);
    const { found } = await examine({ DATABASE_URL: database.url, REDIS_URL: redis.url });
    expect(found.find(({ check }) => check === 'redis')).toMatchObject({
      state: 'problem',
      what: expect.stringContaining('Redis does not count (Command timed out)') as string,
    });
    redis.thaw();
    await gaugeIs(1);
    // Redis executes the commands that it got meanwhile, so it has counted the requests that waited for it.
    const after = await count();
    expect(after - before).toBeLessThanOrEqual(1);
    await eventually(async () => {
      await ask();
      return (await count()) > after;
    });
    await eventually(async () => logged('Redis does not count (') === logged('Redis counts again.'));
  },
);
