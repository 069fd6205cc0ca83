import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPetstore } from '../../support/built-service.js';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { startService } from '../../support/service.js';

const WRITERS = 4;
/** More pets than this are acknowledged before the backup begins, and again after it. */
const ENOUGH = 200;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A service on a database, and a client of it. */
async function serve(database: TestDatabase, first?: { secret: string }) {
  const service = await startService(existing(database));
  const secret = first?.secret ?? service.secret;
  const client = service.stranger.with({ Authorization: `Bearer ${secret}` });
  return {
    secret,
    stop: () => service.stop(),
    async add(): Promise<number> {
      const { status, json } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect(status).toBe(201);
      return (json as { id: number }).id;
    },
  };
}

it('A backup of a working service contains everything that was acknowledged before, and a service can use it', async () => {
  const [source, target] = [await sqlite.create(), await sqlite.create()];
  const first = await serve(source);
  // Many times what SQLite copies in one step by default: between two steps each write would make it begin again.
  await source.execute('CREATE TABLE filler AS SELECT zeroblob(16000000)');
  const acknowledged: number[] = [];
  let writing = true;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (writing) acknowledged.push(await first.add());
  });
  await eventually(async () => acknowledged.length > ENOUGH);
  const before = [...acknowledged];
  // A separate process copies the file, as docs/operations.md describes.
  const file = join(folder, 'whole.backup');
  expect((await spawnPetstore(['db', 'backup', file], { DATABASE_URL: source.url }).end()).code).toBe(0);
  const after = acknowledged.length;
  await eventually(async () => acknowledged.length > after + ENOUGH);
  writing = false;
  await Promise.all(writers);
  await first.stop();

  await copyFile(file, target.url.replace('sqlite:', ''));
  const ids = async () => (await target.query('SELECT id FROM pets')).map(({ id }) => Number(id));
  const restored = new Set(await ids());
  expect(before.filter((id) => !restored.has(id))).toEqual([]);
  expect(restored.size).toBeLessThan(acknowledged.length);

  const second = await serve(target, first);
  const added = await Promise.all(Array.from({ length: 20 }, () => second.add()));
  expect(added.filter((id) => restored.has(id))).toEqual([]);
  expect(new Set(await ids()).size).toBe(restored.size + 20);
  await second.stop();
  await source.drop();
  await target.drop();
});

/** In MB; so large that its copy takes long enough to be killed. */
const LARGE = 200;

describe('petstore db backup', () => {
  it('that is killed leaves no file of the given name, and the next one writes a whole file', async () => {
    const home = join(folder, 'killed');
    await mkdir(home);
    const [large, file] = [join(home, 'large.db'), join(home, 'large.backup')];
    expect((await petstore(['db', 'migrate'], { DATABASE_URL: `sqlite:${large}` })).code).toBe(0);
    const source = new SqliteFile(large);
    const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LARGE}) SELECT zeroblob(1000000) FROM n`;
    source.exec(`CREATE TABLE filler AS ${rows}`);
    source.close();
    const backup = () => spawnPetstore(['db', 'backup', file], { DATABASE_URL: `sqlite:${large}` });

    const killedEarly = async () => {
      const killed = backup();
      await eventually(async () => !killed.isRunning || statSync(`${file}.partial`).size > 0);
      await killed.stop('SIGKILL');
      const isOver = existsSync(file);
      await rm(file, { force: true });
      return !isOver;
    };
    await eventually(killedEarly);
    expect(await readdir(home)).toContain('large.backup.partial');

    expect(await backup().end()).toMatchObject({ code: 0, stdout: `copied to ${file}\n` });
    const copy = new SqliteFile(file);
    expect(copy.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(copy.prepare('SELECT COUNT(*) AS notes FROM filler').get()).toEqual({ notes: LARGE });
    copy.close();
    expect((await readdir(home)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('needs a file: it rejects standard output, and makes no file with that name', async () => {
    const { code, stderr } = await petstore(['db', 'backup', '-'], { DATABASE_URL: 'sqlite::memory:' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be a file, such as petstore.backup')]);
    expect(existsSync('-')).toBe(false);
  });

  it('does not overwrite a file, and leaves no unfinished file behind', async () => {
    const database = `sqlite:${join(folder, 'small.db')}`;
    const file = join(folder, 'small.backup');
    const backup = (url: string) => petstore(['db', 'backup', file], { DATABASE_URL: url });
    expect((await backup(database)).code).toBe(0);
    const again = await backup(database);
    expect(again).toMatchObject({ code: 4 });
    expect(again.output).toContain(`${file} exists`);
    expect((await readdir(folder)).join()).not.toContain('partial');
  });
});
