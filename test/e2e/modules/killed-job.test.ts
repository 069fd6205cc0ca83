import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startFilling } from '../../support/built-service.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';

describe('a job whose process is killed in the middle of it', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    const programs: Program[] = [];
    beforeAll(async () => {
      build();
      database = await engine.create();
    });
    afterAll(async () => {
      await Promise.all(programs.map((program) => program.stop('SIGKILL')));
      await database.drop();
    });

    const start = async (replica: string, more = {}) => {
      const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
      const program = startFilling({ ...environment, REPLICA: replica, ...more });
      programs.push(program);
      await program.printed(/Pet Store +http/);
      return program;
    };

    it('is run by another replica for the same time, once its lease has lapsed', async () => {
      const killed = await start('killed', { HANG: 'yes' });
      await killed.printed(/hanging/);
      // Only one service may open a SQLite file: there the heir is started after the other is killed.
      const isShared = engine.name !== 'SQLite';
      const heir = isShared ? await start('heir') : undefined;
      await killed.stop('SIGKILL');
      const other = heir ?? (await start('heir'));
      await other.printed(/filled/);
      const lease = async () =>
        (await database.query("SELECT * FROM leases WHERE name = 'test.filling'"))[0]!;
      await eventually(async () => (await lease())['holder'] === null);
      expect(Number((await lease())['last'])).toBe(1);
      expect(await database.query('SELECT replica FROM done')).toEqual([
        { replica: 'killed' },
        { replica: 'heir' },
      ]);
    });
  }));
