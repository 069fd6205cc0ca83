import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { expect, it, onTestFinished } from 'vitest';
import { createDataSource, dataSourceOptions } from '../../../src/platform/database/create-data-source.js';
import type { JoiningDataSource } from '../../../src/platform/database/data-source.js';
import { backUp } from '../../../src/platform/database/sqlite/backup.js';
import { keepObjects } from '../../../src/platform/database/sqlite/kept-objects.js';

/** One fills a page. better-sqlite3 copies 100 pages in a step unless it is told otherwise. */
const NOTES = 1_000;
/** Ten times as many steps of 100 pages as the file has. */
const MAX_STEPS = 100;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-busy-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function fileOfNotes(file: string): Promise<JoiningDataSource> {
  const source = createDataSource(dataSourceOptions({ engine: 'sqlite', file }, 1, []));
  await source.initialize();
  onTestFinished(() => source.destroy());
  source.open();
  await source.query('CREATE TABLE notes (id INTEGER PRIMARY KEY, text BLOB)');
  const ids = `WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${NOTES})`;
  await source.query(`${ids} INSERT INTO notes SELECT id, zeroblob(4000) FROM ids`);
  return source;
}

/** A connection of its own, as another process has. */
function connect(file: string): SqliteFile.Database {
  const connection = new SqliteFile(file);
  keepObjects(connection);
  onTestFinished(() => void connection.close());
  return connection;
}

/** Calls `between` after each step of a backup that is not the last one; the backup itself stays as it is. */
function betweenSteps(source: JoiningDataSource, between: () => void): void {
  const file = (source.driver as BetterSqlite3Driver).databaseConnection as SqliteFile.Database;
  const original = file.backup.bind(file);
  file.backup = (to, options) =>
    original(to, {
      ...options,
      progress: (done) => {
        between();
        // Undefined, which better-sqlite3 takes for "as before", is missing in its types.
        return options?.progress?.(done) as number;
      },
    });
}

it('A backup of a large SQLite file ends although another process commits after each of its steps', async () => {
  const folder = await temporaryFolder();
  const [busy, file] = [join(folder, 'busy.db'), join(folder, 'busy.backup')];
  const source = await fileOfNotes(busy);
  const other = connect(busy);
  let commits = 0;
  betweenSteps(source, () => {
    if (++commits > MAX_STEPS) throw new Error(`it has not ended after ${MAX_STEPS} steps`);
    other.prepare('INSERT INTO notes (text) VALUES (zeroblob(4000))').run();
  });
  await backUp(source, file);

  const copy = connect(file);
  expect(commits).toBeGreaterThan(0);
  expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(copy.prepare('SELECT COUNT(*) AS notes FROM notes').get()).toEqual({ notes: NOTES + commits });
});
