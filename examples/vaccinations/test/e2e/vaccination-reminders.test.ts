import { Inject, Module } from '@nestjs/common';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Events } from '../../src/kernel/events.js';
import { VaccinationDue } from '../../src/vaccinations/index.js';
import { build, startBuilt } from '../support/built-service.js';
import { existing, mariaDb, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import type { Program } from '../support/program.js';
import { type Service, startService } from '../support/service.js';
import { BODY } from '../support/vaccination-builder.js';

const heard: string[] = [];

/** Another module, which would write to the owner of the animal. */
@Module({})
class Mail {
  constructor(@Inject(Events) events: Events) {
    events.subscribe(VaccinationDue, 'mail', async ({ vaccine, dueAt }) => {
      heard.push(`${vaccine} ${dueAt!.toISOString().slice(0, 10)}`);
    });
  }
}

describe('the job that reminds', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let replicas: Service[];
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

    /** Whether the job has been done and is due at this time. */
    const isDueNext = async (time: string) => {
      const [job] = await database.query('SELECT due_at FROM jobs');
      return job !== undefined && new Date(Number(job['due_at'])).toISOString() === time;
    };
    const isDelivered = async () => (await database.query('SELECT id FROM outbox')).length === 0;

    it('tells of what is due within the days of the setting, once, through whichever replica', async () => {
      const [{ client, clock }] = replicas as [Service];
      const pet = (await client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).json as { id: number };
      const add = async (vaccine: string, dueAt: string, state = 'open') => {
        const body = { ...BODY, petId: pet.id, vaccine, givenAt: '2025-11-20T12:00:00Z', dueAt, state };
        return ((await client.post('/v1/vaccinations', body)).json as { id: number }).id;
      };
      await add('overdue', '2026-11-01T12:00:00Z');
      await add('soon', '2026-11-24T05:59:59Z');
      const later = await add('later', '2026-11-24T06:00:00Z');
      await add('done', '2026-11-22T12:00:00Z', 'done');
      await eventually(() => isDueNext('2026-11-21T06:00:00.000Z'));

      clock.set('2026-11-21T06:00:00Z');
      await eventually(() => isDueNext('2026-11-22T06:00:00.000Z'));
      await eventually(isDelivered);
      expect(heard.toSorted()).toEqual(['overdue 2026-11-01', 'soon 2026-11-24']);

      await client.patch(`/v1/vaccinations/${later}`, { dueAt: '2026-12-01T12:00:00Z' });
      clock.set('2026-11-30T06:00:00Z');
      await eventually(() => isDueNext('2026-12-01T06:00:00.000Z'));
      await client.patch(`/v1/vaccinations/${later}`, { dueAt: '2026-12-02T12:00:00Z' });
      clock.set('2026-12-01T06:00:00Z');
      await eventually(() => isDueNext('2026-12-02T06:00:00.000Z'));
      await eventually(isDelivered);
      expect(heard.slice(2)).toEqual(['later 2026-12-01', 'later 2026-12-02']);
    });
  }));

describe.skipIf(!mariaDb.installed)('the job that reminds, in a process that is killed', () => {
  let database: TestDatabase;
  const programs: Program[] = [];
  beforeAll(async () => {
    build();
    database = await mariaDb.create();
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await database.drop();
  });

  const start = async () => {
    const program = startBuilt({ DATABASE_URL: database.url, MIGRATE_ON_START: 'true' });
    programs.push(program);
    await program.printed(/Pet Store +http/);
    return program;
  };
  const reminded = () =>
    database.query('SELECT id, reminded_at FROM vaccinations WHERE reminded_at IS NOT NULL ORDER BY id');

  it('goes on where it was, and reminds of nothing twice', async () => {
    const killed = await start();
    await eventually(async () => (await database.query('SELECT name FROM jobs')).length === 1);
    await database.execute(
      `INSERT INTO vaccinations (id, pet_id, vaccine, given_at, due_at, state)
       SELECT seq, 1, 'x', 0, seq, 'open' FROM seq_1_to_250`,
    );
    // The third step waits for a row that somebody else has locked.
    const other = await createConnection(database.url);
    await other.beginTransaction();
    await other.query('SELECT id FROM vaccinations WHERE id = 250 FOR UPDATE');
    await database.execute('UPDATE jobs SET due_at = 0');
    await eventually(async () => (await reminded()).length === 200);
    await killed.stop('SIGKILL');
    await other.rollback();
    await other.end();
    const before = await reminded();
    expect(before).toHaveLength(200);

    await start();
    // Half a minute later.
    await database.execute('UPDATE jobs SET lapses_at = lapses_at - 30000');
    await eventually(async () => (await reminded()).length === 250);
    expect((await reminded()).slice(0, 200)).toEqual(before);
  });
});
