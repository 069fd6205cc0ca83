import type { Database as SqliteFile } from 'better-sqlite3';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { expect, it } from 'vitest';
import { makeReady } from '../../../src/configure-app.js';
import { JoiningDataSource } from '../../../src/platform/database/data-source.js';
import { Readiness } from '../../../src/platform/ops/health/readiness.js';
import { startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

const IN_MEMORY = { create: async () => ({ url: 'sqlite::memory:', drop: async () => undefined }) };

it('A start says that the database refuses writes, unless it is told to stop: what that closes under it is no finding', async () => {
  const log = new Recorder();
  const service = await startService(IN_MEMORY, { environment: { LOG_LEVEL: 'warn' }, log });
  const said = () =>
    log.text.match(/The database refuses a write: .*SQLITE_READONLY.* Reads may still work/g)?.length;
  expect(said()).toBeUndefined();
  const { databaseConnection } = service.app.get(JoiningDataSource).driver as BetterSqlite3Driver;
  (databaseConnection as SqliteFile).pragma('query_only = ON');
  await makeReady(service.app);
  expect(said()).toBe(1);

  service.app.get(Readiness).markStopping();
  await makeReady(service.app);
  expect(said()).toBe(1);
  await service.stop();
});
