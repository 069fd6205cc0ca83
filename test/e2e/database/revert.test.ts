import { Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Migrations, SqlMigration } from '../../../src/platform/database/index.js';
import { RunningClock } from '../../support/clocks.js';
import { existing, onMySqlToo, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

const onBoth = (...statements: string[]) => ({ sqlite: statements, mysql: statements });

class AddWeights extends SqlMigration {
  readonly name = 'AddWeights1899999999999';
  protected override readonly sequences = ['test_scales'];

  protected readonly forwards = onBoth(
    'CREATE TABLE IF NOT EXISTS test_scales (id INTEGER NOT NULL PRIMARY KEY)',
    'ALTER TABLE pets ADD COLUMN weight INTEGER',
  );

  protected readonly backwards = onBoth('ALTER TABLE pets DROP COLUMN weight', 'DROP TABLE test_scales');
}

@Migrations(AddWeights)
@Module({})
class WeightsModule {}

describe('petstore db revert', () =>
  onMySqlToo((engine) => {
    let database: TestDatabase;
    let log: Recorder;
    const services: Service[] = [];
    const run = (...args: string[]) =>
      petstore(args, { DATABASE_URL: database.url }, '', [...MODULES, WeightsModule]);
    /** Runs `db revert` at a terminal with this answer. */
    const answering = (answer: string) =>
      petstore(['db', 'revert'], { DATABASE_URL: database.url }, answer, [...MODULES, WeightsModule], true);
    const isApplied = async () => {
      const states = JSON.parse((await run('db', 'status', '--json')).stdout) as { applied: boolean }[];
      expect(states.slice(0, -1).every(({ applied }) => applied)).toBe(true);
      return states.at(-1)!.applied;
    };
    const start = async (...modules: unknown[]) => {
      const service = await startService(existing(database), {
        clock: new RunningClock(),
        modules: modules as never,
        log,
      });
      services.push(service);
      return service;
    };
    const ready = ({ stranger }: Service) => stranger.get('/readyz');

    beforeEach(async () => {
      log = new Recorder();
      database = await engine.create();
      expect((await run('db', 'migrate')).code).toBe(0);
      await database.execute(
        "INSERT INTO pets (id, name, category_id, status, weight) VALUES (1, 'Rex', 7, 'available', 12), (2, 'Tom', 7, 'sold', 4), (3, 'Kim', 7, 'sold', NULL)",
        'INSERT INTO test_scales VALUES (1)',
      );
    });
    afterEach(async () => {
      for (const service of services.splice(0)) await service.stop();
      await database.drop();
    });

    it('reverts exactly one migration when the answer is yes', async () => {
      const sequences = () => database.query("SELECT next_id FROM sequences WHERE name = 'test_scales'");
      expect((await sequences()).map((row) => Number(row['next_id']))).toEqual([1]);
      const { code, stdout } = await answering('yes\n');
      expect([code, stdout]).toEqual([0, 'reverted AddWeights1899999999999\n']);
      expect(await isApplied()).toBe(false);
      expect(await sequences()).toEqual([]);
      expect(await database.query('SELECT id FROM pets')).toHaveLength(3);
    });

    const failsHalfWay = async () => {
      await database.execute(
        'CREATE TABLE test_readings (scale INTEGER NOT NULL, FOREIGN KEY (scale) REFERENCES test_scales (id))',
        'INSERT INTO test_readings VALUES (1)',
      );
      const { code, stderr } = await run('db', 'revert', '--yes');
      expect(code).toBe(1);
      expect(await isApplied()).toBe(true);
      expect(stderr).toMatch(/in part, or not at all: .*run "petstore db revert" again/);
      await database.execute('DROP TABLE test_readings');
      const again = await run('db', 'revert', '--yes');
      expect([again.code, again.stderr]).toEqual([0, '']);
      expect(await isApplied()).toBe(false);
      expect((await run('db', 'migrate')).code).toBe(0);
      expect(await database.query('SELECT id, weight FROM pets')).toHaveLength(3);
    };
    // On SQLite a migration is one transaction, so this skips nothing there.
    if (engine !== sqlite)
      it('says what to do after it failed half-way, and these steps complete it', failsHalfWay);

    if (engine !== sqlite) return;

    it('leaves a replica of an older version ready; a replica that needs the migration is ready when the schema is back', async () => {
      const older = await start();
      const service = await start(WeightsModule);
      expect((await run('db', 'revert', '--yes')).code).toBe(0);
      await eventually(async () => (await ready(service)).status === 503);
      await log.wrote(
        /not ready: [^\n]* has lost AddWeights1899999999999; run \\"petstore db migrate\\", or/,
      );
      expect((await ready(older)).status).toBe(200);
      expect((await run('db', 'migrate')).code).toBe(0);
      await eventually(async () => (await ready(service)).status === 200);
    });

    it('rejects a migration that belongs to a newer version', async () => {
      const { code, stderr } = await petstore(['db', 'revert', '--yes'], { DATABASE_URL: database.url });
      expect([code, stderr]).toEqual([4, expect.stringContaining('does not know AddWeights1899999999999')]);
    });

    it('changes nothing when there is no terminal to ask', async () => {
      const { code, stderr } = await run('db', 'revert');
      expect([code, stderr]).toEqual([
        2,
        'error: there is no terminal for the question. Add --yes to revert AddWeights1899999999999 without it. Nothing was changed.\n',
      ]);
      expect(await isApplied()).toBe(true);
    });

    it.each(['n\n', ''])('changes nothing when the answer is %j', async (answer) => {
      const { code, stderr } = await answering(answer);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /AddWeights1899999999999 is the newest migration\. [^]*Revert it\? \[y\/N\] [^]*Nothing was changed\.\n$/,
        ),
      ]);
      expect(await isApplied()).toBe(true);
    });
  }));
