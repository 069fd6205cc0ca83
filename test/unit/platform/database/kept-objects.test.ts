import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { JoiningDataSource } from '../../../../src/platform/database/index.js';
import { dataSourceOptions } from '../../../support/rooms/database.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const open = async () => {
  const source = new JoiningDataSource(dataSourceOptions({ engine: 'sqlite', file: ':memory:' }, 1, []));
  await source.initialize();
  source.open();
  return { source, fileOf: () => (source.driver as BetterSqlite3Driver).databaseConnection as Database };
};
/** Whether the process survives the collection of a statement. */
const canBeCollected = Number.parseInt(process.versions.node, 10) < 24;

it('a SQLite file and its statements are never garbage-collected, because that would end the process on Node 24', async () => {
  const { source, fileOf } = await open();
  await source.query('SELECT 1');
  const objects = [new WeakRef<object>(fileOf()), new WeakRef<object>(fileOf().prepare('SELECT 1'))];
  const garbage = new WeakRef({});
  fileOf().pragma('user_version = 7');
  expect(fileOf().prepare('PRAGMA user_version').all()).toEqual([{ user_version: 7n }]);
  await source.destroy();
  await setImmediate();
  collectGarbage();
  expect(garbage.deref()).toBeUndefined();
  expect(objects.map((object) => object.deref())).not.toContain(undefined);
});

it('statements with new texts do not fill the memory when they can be garbage-collected', async () => {
  const { source, fileOf } = await open();
  const first = fileOf().prepare('SELECT 1');
  for (let i = 2; i <= 1_000; i++) fileOf().prepare(`SELECT ${i}`);
  expect(fileOf().prepare('SELECT 1')).toBe(first);
  fileOf().prepare('SELECT 1001');
  expect(fileOf().prepare('SELECT 1') === first).toBe(!canBeCollected);
  await source.destroy();
});

it('all pages of a list use the same statement, whatever their offset', async () => {
  const { source, fileOf } = await open();
  await source.query('CREATE TABLE numbers AS SELECT value FROM json_each(?)', ['[1,2,3]']);
  const first = fileOf().prepare('SELECT 1');
  const pageAt = (offset: number) =>
    source.createQueryBuilder().select('value').from('numbers', 'one').limit(2).offset(offset).getRawMany();
  expect(await pageAt(0)).toEqual([{ value: 1 }, { value: 2 }]);
  expect(await pageAt(2)).toEqual([{ value: 3 }]);
  for (let offset = 3; offset < 1_010; offset++) expect(await pageAt(offset)).toEqual([]);
  expect(fileOf().prepare('SELECT 1')).toBe(first);
  await source.destroy();
});
