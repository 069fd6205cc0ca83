import { Injectable, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Job } from '../../../src/platform/jobs/job.decorator.js';
import type { JobRun } from '../../../src/platform/jobs/job-run.js';
import { JobRepository } from '../../../src/platform/jobs/job-repository.js';
import type { ManualClock } from '../../support/clocks.js';
import { existing, onEveryEngine, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';

/** A module with a job whose work the test defines; each replica has its own. */
function cleaning() {
  const shop = { begun: 0, cleaned: 0, clean: async (_run: JobRun): Promise<void> => {} };

  @Injectable()
  class Cleaning {
    @Job('shop.cleaning', '0 6 * * *')
    async clean(run: JobRun) {
      shop.begun++;
      await shop.clean(run);
      shop.cleaned++;
    }
  }

  @Module({ providers: [Cleaning] })
  class CleaningModule {}
  return { shop, module: CleaningModule };
}

describe('a scheduled job', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let [one, two]: ReturnType<typeof cleaning>[] = [];
    let [first, second]: Service[] = [];
    let clock: ManualClock;
    beforeEach(async () => {
      database = await engine.create();
      [one, two] = [cleaning(), cleaning()];
      first = await startService(existing(database), { modules: [one.module] });
      clock = first.clock;
      second = await startService(existing(database), { modules: [two.module], beside: first });
      await eventually(async () => (await jobs()).length === 1);
    });
    afterEach(async () => {
      await second!.stop();
      await first!.stop();
      await database.drop();
    });

    const jobs = () => database.query(`SELECT * FROM jobs WHERE name = 'shop.cleaning'`);
    const dueAt = async () => new Date(Number((await jobs())[0]!['due_at'])).toISOString();
    const begun = () => one!.shop.begun + two!.shop.begun;
    /** Blocks a running job. @returns a function that lets it go on */
    const held = (shop: ReturnType<typeof cleaning>['shop'], after: (run: JobRun) => Promise<void>) => {
      let release = () => {};
      const wait = new Promise<void>((resolve) => (release = resolve));
      shop.clean = (run) => wait.then(() => after(run));
      return () => release();
    };
    it('is done once for each of its times, by one of the replicas', async () => {
      expect([await dueAt(), begun()]).toEqual(['2026-11-21T06:00:00.000Z', 0]);
      for (const day of [21, 22, 23]) {
        clock.set(`2026-11-${day}T06:00:00Z`);
        await eventually(async () => (await dueAt()) === `2026-11-${day + 1}T06:00:00.000Z`);
      }
      expect(begun()).toBe(3);
    });

    it('is done later if all replicas were away at its time, and once for all times that went by', async () => {
      clock.set('2026-11-24T08:00:00Z');
      await eventually(async () => (await dueAt()) === '2026-11-25T06:00:00.000Z');
      expect(begun()).toBe(1);
    });

    it('goes to another replica if the one that is at it is not heard of, which stores nothing more', async () => {
      const refusals: string[] = [];
      const release = [one!, two!].map(({ shop }, i) =>
        held(shop, async (run) => {
          const source = [first!, second!][i]!.app.get(DataSource);
          const note = `INSERT INTO sequences (name, next_id) VALUES ('replica ${i}', 1)`;
          await run.step(() => source.query(note)).catch((error: Error) => refusals.push(error.message));
        }),
      );
      clock.set('2026-11-21T06:00:00Z');
      await eventually(async () => begun() === 1);
      const [dead, heir] = one!.shop.begun === 1 ? [0, 1] : [1, 0];
      clock.advance(30_000);
      await eventually(async () => begun() === 2);
      release[dead]!();
      const lost = ['The lease of "shop.cleaning" is lost: another replica runs the job.'];
      await eventually(async () => [one!, two!][dead]!.shop.cleaned === 1);
      expect([refusals, await dueAt()]).toEqual([lost, '2026-11-21T06:00:00.000Z']);
      release[heir]!();
      await eventually(async () => (await dueAt()) === '2026-11-22T06:00:00.000Z');
      expect(refusals).toEqual(lost);
      const noted = await database.query(`SELECT name FROM sequences WHERE name LIKE 'replica%'`);
      expect(noted).toEqual([{ name: `replica ${heir}` }]);
    });

    it('is tried again when it fails', async () => {
      for (const { shop } of [one!, two!]) shop.clean = () => Promise.reject(new Error('no broom'));
      clock.set('2026-11-21T06:00:00Z');
      await eventually(async () => (await dueAt()) === '2026-11-21T06:01:00.000Z');
      clock.advance(60_000);
      await eventually(async () => (await dueAt()) === '2026-11-21T06:03:00.000Z');
      expect([begun(), (await jobs())[0]!['problem']]).toEqual([2, 'no broom']);
      for (const { shop } of [one!, two!]) shop.clean = async () => clock.advance(1_500);
      clock.advance(120_000);
      await eventually(async () => (await dueAt()) === '2026-11-22T06:00:00.000Z');
    });

    it('is given back by a replica that stops, and no failure', async () => {
      for (const { shop } of [one!, two!]) {
        shop.clean = (run) =>
          new Promise((_, fail) =>
            run.signal.addEventListener('abort', () => fail(run.signal.reason as Error)),
          );
      }
      clock.set('2026-11-21T06:00:00Z');
      await eventually(async () => begun() === 1);
      const [stopped, other] = one!.shop.begun === 1 ? [first!, two!] : [second!, one!];
      other.shop.clean = async () => {};
      await stopped.app.close();
      await eventually(async () => (await dueAt()) === '2026-11-22T06:00:00.000Z');
      expect([other.shop.cleaned, Number((await jobs())[0]!['failures'])]).toEqual([1, 0]);
    });

    it('is begun by one of many who find it due, and by nobody else as long as that one renews its lease', async () => {
      const [stored, other] = [first!, second!].map(({ app }) => app.get(JobRepository, { strict: false }));
      await database.execute(`UPDATE jobs SET name = 'another' WHERE name = 'shop.cleaning'`);
      const read = async () => (await stored!.find(['another']))[0]!;
      const job = await read();
      const now = job.dueAt;
      const takers = Array.from({ length: 20 }, (_, i) =>
        [stored!, other!][i % 2]!.take(job, now, now + 30_000),
      );
      const [lease, ...none] = (await Promise.all(takers)).filter((taken) => taken !== undefined);
      expect([lease, none]).toEqual([{ name: 'another', lease: 1 }, []]);

      expect(await stored!.renew(lease!, now + 60_000)).toBe(true);
      expect(await other!.take(await read(), now + 59_999, now + 90_000)).toBeUndefined();
      expect(await other!.take(await read(), now + 60_000, now + 90_000)).toEqual({
        name: 'another',
        lease: 2,
      });
      expect(await stored!.renew(lease!, now + 90_000)).toBe(false);
      expect(await stored!.end(lease!, { dueAt: 1 })).toBe(false);
      expect((await read()).dueAt).toBe(now);
    });
  }));

it('a module that imports the scheduler once more is refused, for each of the two would run all jobs', async () => {
  @Module({ imports: [ScheduleModule.forRoot()] })
  class ScheduledModule {}

  const database = await sqlite.create();
  const started = startService(existing(database), { modules: [ScheduledModule] });
  await expect(started).rejects.toThrow('ScheduleModule.forRoot() is imported twice. The service imports it');
  await database.drop();
});
