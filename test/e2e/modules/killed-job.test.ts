import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startFilling } from '../../support/built-service.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
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

    it('is taken over when the lease has lapsed, and what was not stored by then is not', async () => {
      const killed = await start('killed', { HANG: 'yes' });
      await killed.printed(/hanging/);
      // Only one service may open a SQLite file: there the heir is started after the other is killed.
      const isShared = engine.name !== 'SQLite';
      const heir = isShared ? await start('heir') : undefined;
      await killed.stop('SIGKILL');
      const other = heir ?? (await start('heir'));
      expect(other.output).not.toContain('filled');
      const steps = async () =>
        (await database.query('SELECT replica, step FROM done')).map(
          ({ replica, step }) => `${replica} ${step}`,
        );
      expect(await steps()).toEqual(['killed 1']);
      // As if 30 s had passed.
      await database.execute('UPDATE jobs SET lapses_at = lapses_at - 30000');
      await other.printed(/filled/);
      expect((await steps()).slice(0, 4)).toEqual(['killed 1', 'heir 1', 'heir 2', 'heir 3']);
    });
  }));
