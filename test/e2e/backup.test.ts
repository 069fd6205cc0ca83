import { execFileSync, execSync } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { petstore } from '../support/petstore.js';
import { type Engine, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';

const SECRET = 'bootstrap-key-for-the-test-of-backups';
const WRITERS = 4;
/** Acknowledged before the backup begins, and once more while it goes on. */
const ENOUGH = 200;

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A service on a database, and a client of it. */
async function serve({ url }: TestDatabase) {
  const environment = { DATABASE_URL: url, MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: SECRET };
  const service = startBuilt(environment, folder);
  const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' };
  return {
    environment,
    stop: () => service.stop(),
    async add(): Promise<number> {
      const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
      const answer = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { id: number }).id;
    },
  };
}

/** As docs/operations.md tells operators to do it. */
async function backUp(
  engine: Engine,
  database: TestDatabase,
  environment: Record<string, string>,
  file: string,
) {
  if (engine.name === 'SQLite') {
    expect(await petstore(['db', 'backup', file], environment)).toMatchObject({ code: 0 });
    return;
  }
  expect(await petstore(['db', 'backup', file], environment)).toMatchObject({ code: 4 });
  const { port, pathname } = new URL(database.url);
  execSync(
    `mariadb-dump --host=127.0.0.1 --port=${port} --user=root --single-transaction ${pathname.slice(1)} > ${file}`,
  );
}

async function restore(engine: Engine, database: TestDatabase, file: string): Promise<void> {
  if (engine.name === 'SQLite') return copyFile(file, database.url.replace('sqlite:', ''));
  const { port, pathname } = new URL(database.url);
  execSync(`mariadb --host=127.0.0.1 --port=${port} --user=root ${pathname.slice(1)} < ${file}`);
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
      await backUp(engine, source, first.environment, file);
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

      const second = await serve(target);
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
    expect(execFileSync('ls', [folder]).toString()).not.toContain('unfinished');
  });
});
