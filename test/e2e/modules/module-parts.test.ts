import { SchedulerRegistry } from '@nestjs/schedule';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Kennels, KennelsModule } from '../../support/modules/kennels-module.js';
import { runJob } from '../../support/run-job.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';
import { Scrape } from '../../support/http/scrape.js';
import { type Service, startService, withSamples } from '../../support/service.js';

// The tests share one service and depend on their order.
describe(
  'the service offers the parts of a module without a change to another file:',
  { shuffle: false },
  () => {
    let database: TestDatabase;
    let service: Service;
    let kennels: Kennels;
    let metricsPort: number;
    beforeAll(async () => {
      database = await sqlite.create();
      metricsPort = await freePort();
      service = await start({ environment: { METRICS_PORT: `${metricsPort}` } });
      kennels = service.app.get(Kennels);
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    const start = ({ environment = {}, ...more }: Parameters<typeof startService>[1] = {}) =>
      startService(existing(database), {
        samples: [KennelsModule],
        environment: { KENNELS_PLACES: '2', ...environment },
        ...more,
      });
    const run = (args: string[], environment = {}) =>
      petstore(
        args,
        { DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...environment },
        '',
        withSamples(KennelsModule),
      );

    it('its settings, whose mistakes appear beside mistakes in other settings', async () => {
      expect(kennels.free).toBe(2);
      const { code, stdout } = await run(['doctor', '--json'], { PORT: 'http', KENNELS_PLACES: 'many' });
      const found = JSON.parse(stdout) as { what: string }[];
      expect([code, found.map(({ what }) => what)]).toEqual([
        1,
        [
          'PORT: must be a whole number from 0 to 65535',
          'KENNELS_PLACES: must be a whole number from 1 to 1000',
        ],
      ]);
    });

    it('its command', async () => {
      expect((await run(['--help'])).stdout).toContain('Shows the kennels.');
      expect(await run(['kennels'])).toMatchObject({ code: 0, stdout: '20 free\n' });
    });

    it('its subscriptions and its own events, with an instant and without optional values', async () => {
      for (const name of ['Rex', 'Mia']) await service.client.post('/v1/pets', { name, categoryId: 7 });
      await eventually(async () => kennels.heard.length === 1);
      expect(kennels.heard).toMatchObject([{ at: new Date(0) }]);
    });

    it('its job, which runs on one of the replicas when the scheduler calls it', async () => {
      const job = service.app.get(SchedulerRegistry).getCronJob('kennels.sweeping');
      expect(job.nextDate().toUTC().toISO()).toContain('T05:00:00');
      await runJob('kennels.sweeping', '2026-11-21T05:00:00Z', service);
      expect(kennels.swept).toBe(2);

      const other = await start({ beside: service });
      kennels.swept = 0;
      await runJob('kennels.sweeping', '2026-11-22T05:00:00Z', service, other);
      expect([kennels.swept, other.app.get(Kennels).swept].toSorted()).toEqual([0, 2]);
      await other.stop();

      kennels.sweepSome = () => Promise.reject(new Error('no broom'));
      const failed = runJob('kennels.sweeping', '2026-11-23T05:00:00Z', service);
      await expect(failed).rejects.toThrow("the problem of kennels.sweeping: expected 'no broom' to be null");
    });

    it('its metrics', async () => {
      await eventually(async () => kennels.taken === 2);
      const scrape = await Scrape.of(`http://127.0.0.1:${metricsPort}/metrics`);
      const valueOf = (name: string) => scrape.samples(name).map(({ value }) => value);
      expect([valueOf('petstore_kennels_taken_total'), valueOf('petstore_kennels_free')]).toEqual([[2], [0]]);
    });
  },
);
