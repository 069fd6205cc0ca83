import { exec } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, spawnPetstore } from '../../support/built-service.js';
import { type Engine, existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { startService } from '../../support/service.js';

const WRITERS = 4;
/** More pets than this are acknowledged before the backup begins, and again after it. */
const ENOUGH = 200;

let folder: string;
beforeAll(async () => {
  build();
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

const shell = promisify(exec);

/** Backs up as docs/operations.md tells operators to; a separate process copies the file, as there. */
async function backUp(engine: Engine, { url }: TestDatabase, file: string): Promise<void> {
  const environment = { DATABASE_URL: url };
  if (engine.name === 'SQLite') {
    expect((await spawnPetstore(['db', 'backup', file], environment).end()).code).toBe(0);
    return;
  }
  expect((await petstore(['db', 'backup', file], environment)).code).toBe(4);
  const { port, pathname } = new URL(url);
  await shell(
    `mariadb-dump --host=127.0.0.1 --port=${port} --user=root --single-transaction ${pathname.slice(1)} > ${file}`,
  );
}

async function restore(engine: Engine, { url }: TestDatabase, file: string): Promise<void> {
  if (engine.name === 'SQLite') return copyFile(file, url.replace('sqlite:', ''));
  const { port, pathname } = new URL(url);
  await shell(`mariadb --host=127.0.0.1 --port=${port} --user=root ${pathname.slice(1)} < ${file}`);
}

describe('a backup', () =>
  onEveryEngine((engine) => {
    let source: TestDatabase;
    let target: TestDatabase;
    beforeAll(async () => {
      source = await engine.create();
      target = await engine.create();
    });
    afterAll(async () => {
      await source.drop();
      await target.drop();
    });

    it('that is taken while the service works has all that was acknowledged before, and is good for a service to go on with', async () => {
      const first = await serve(source);
      const acknowledged: number[] = [];
      let writing = true;
      const writers = Array.from({ length: WRITERS }, async () => {
        while (writing) acknowledged.push(await first.add());
      });
      await eventually(async () => acknowledged.length > ENOUGH);
      const before = [...acknowledged];
      const file = join(folder, `${engine.name}.backup`);
      await backUp(engine, source, file);
      const after = acknowledged.length;
      await eventually(async () => acknowledged.length > after + ENOUGH);
      writing = false;
      await Promise.all(writers);
      await first.stop();

      await restore(engine, target, file);
      const ids = async () => (await target.query('SELECT id FROM pets')).map(({ id }) => Number(id));
      const restored = new Set(await ids());
      expect(before.filter((id) => !restored.has(id))).toEqual([]);
      expect(restored.size).toBeLessThan(acknowledged.length);

      const second = await serve(target, first);
      const added = await Promise.all(Array.from({ length: 20 }, () => second.add()));
      expect(added.filter((id) => restored.has(id))).toEqual([]);
      expect(new Set(await ids()).size).toBe(restored.size + 20);
      await second.stop();
    });
  }));

describe('petstore db backup', () => {
  it('does not write over a file, and leaves nothing unfinished behind', async () => {
    const database = `sqlite:${join(folder, 'small.db')}`;
    const file = join(folder, 'small.backup');
    const backup = (url: string) => petstore(['db', 'backup', file], { DATABASE_URL: url });
    expect((await backup(database)).code).toBe(0);
    const again = await backup(database);
    expect(again).toMatchObject({ code: 4 });
    expect(again.output).toContain(`${file} exists`);
    expect((await readdir(folder)).join()).not.toContain('unfinished');
  });
});
