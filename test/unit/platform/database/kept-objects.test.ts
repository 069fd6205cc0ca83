import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { createDataSource, dataSourceOptions } from '../../../../src/platform/database/create-data-source.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a SQLite file and its statements are never collected, for that would end the process on Node 24', async () => {
  const source = createDataSource(dataSourceOptions({ engine: 'sqlite', file: ':memory:' }, 1, []));
  await source.initialize();
  source.open();
  await source.query('SELECT 1');
  const fileOf = () => (source.driver as BetterSqlite3Driver).databaseConnection as Database;
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
