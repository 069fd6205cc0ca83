import { copyFile, rename, rm, stat } from 'node:fs/promises';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

describe('while the service runs, the file of its database', () => {
  let database: TestDatabase;
  let file: string;
  let service: Service;
  const log = new Recorder();
  beforeEach(async () => {
    log.text = '';
    database = await sqlite.create();
    file = database.url.replace('sqlite:', '');
    service = await startService(existing(database), { log, environment: { LOG_LEVEL: 'warn' } });
  });
  afterEach(async () => {
    await service.stop();
    await database.drop();
    await rm(`${file}-away`, { force: true });
  });

  const add = async () => (await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status;
  const ready = async () => (await service.stranger.get('/readyz')).status;
  const becomes = async (status: number) => eventually(async () => (await ready()) === status);
  const alarms = () => log.text.split('\n').filter((line) => line.startsWith('{"level":50'));

  it('is replaced: no change is acknowledged after that, and the log says once what to do', async () => {
    expect(await add()).toBe(201);
    await copyFile(file, `${file}-away`);
    await rename(`${file}-away`, file);
    await becomes(503);
    expect([await add(), (await service.client.get('/v1/pets/1')).status]).toEqual([503, 503]);
    expect((await service.client.get('/v1/store/orders')).status).toBe(503);
    expect(alarms()).toEqual([
      expect.stringMatching(/\.db was replaced .*Put the same file back, .*restore a backup/),
    ]);
    expect((await service.stranger.get('/livez')).status).toBe(200);
  });

  it('is moved away and back: the service continues, and has everything that it acknowledged', async () => {
    let added = 0;
    const addUntil = async (status: number) => {
      for (let last = 0; last !== status;) if ((last = await add()) === 201) added += 1;
    };
    await addUntil(201);
    await rename(file, `${file}-away`);
    await addUntil(503);
    await becomes(503);
    await rename(`${file}-away`, file);
    await becomes(200);
    await addUntil(201);
    expect(alarms()).toEqual([
      expect.stringMatching(/\.db was deleted or moved .*Put the same file back, .*restore a backup/),
    ]);
    expect(log.text).toContain('.db is back.');
    await service.stop();
    expect(await database.query('SELECT COUNT(*) AS count FROM pets')).toEqual([{ count: added }]);
  });

  it('has a small write-ahead log again after a long read', async () => {
    const reader = new SqliteFile(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM pets').get();
    const size = async () => (await stat(`${file}-wal`)).size;
    const write = () =>
      database.execute(
        `CREATE TABLE IF NOT EXISTS filler (x)`,
        `INSERT INTO filler VALUES (zeroblob(${8 * MB}))`,
      );
    while ((await size()) < 64 * MB) await write();
    reader.exec('COMMIT');
    reader.close();
    await eventually(async () => (await add()) === 201 && (await size()) <= 16 * MB);
  });
});

const MB = 1024 * 1024;
