import { Inject, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Events } from '../../src/kernel/index.js';
import { VaccinationDue } from '../../src/vaccinations/index.js';
import { existing, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { runJob } from '../support/run-job.js';
import { type Service, startService } from '../support/service.js';
import { aVaccinationBody } from '../support/vaccination-builder.js';

const heard: string[] = [];

/** Another module, which could send a mail to the owner of the pet. */
@Module({})
class Mail {
  constructor(@Inject(Events) events: Events) {
    events.subscribe(VaccinationDue, 'mail', async ({ vaccine, dueAt }) => {
      heard.push(`${vaccine} ${dueAt!.toISOString().slice(0, 10)}`);
    });
  }
}

describe('the job that publishes reminders', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let replicas: [Service, Service];
    beforeAll(async () => {
      heard.length = 0;
      database = await engine.create();
      const options = { modules: [Mail], environment: { VACCINATIONS_REMINDER_DAYS: '3' } };
      const one = await startService(existing(database), options);
      replicas = [one, await startService(existing(database), { ...options, beside: one })];
    });
    afterAll(async () => {
      for (const replica of replicas.toReversed()) await replica.stop();
      await database.drop();
    });

    const remindAt = (time: string) => runJob('vaccinations.reminders', time, ...replicas);
    const isDelivered = async () => (await database.query('SELECT id FROM outbox')).length === 0;

    it('publishes one event for each vaccination that is due within the days of the setting, on any replica', async () => {
      const [{ client }] = replicas;
      const pet = (await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).json as { id: number };
      const add = async (vaccine: string, dueAt: string, state = 'open') => {
        const body = aVaccinationBody({
          petId: pet.id,
          vaccine,
          givenAt: '2025-11-20T12:00:00Z',
          dueAt,
          state,
        });
        return ((await client.post('/v1/vaccinations', body)).json as { id: number }).id;
      };
      await add('overdue', '2026-11-01T12:00:00Z');
      await add('soon', '2026-11-24T05:59:59Z');
      const later = await add('later', '2026-11-24T06:00:00Z');
      await add('done', '2026-11-22T12:00:00Z', 'done');

      await remindAt('2026-11-21T06:00:00Z');
      await eventually(isDelivered);
      expect(heard.toSorted()).toEqual(['overdue 2026-11-01', 'soon 2026-11-24']);

      await client.patch(`/v1/vaccinations/${later}`, { dueAt: '2026-12-01T12:00:00Z' });
      await remindAt('2026-11-30T06:00:00Z');
      await client.patch(`/v1/vaccinations/${later}`, { dueAt: '2026-12-02T12:00:00Z' });
      await remindAt('2026-12-01T06:00:00Z');
      await eventually(isDelivered);
      expect(heard.slice(2)).toEqual(['later 2026-12-01', 'later 2026-12-02']);
    });
  }));
