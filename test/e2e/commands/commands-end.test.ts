import SqliteFile from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CREATE_LEASES } from '../../../src/platform/database/migrations/create-leases.migration.js';
import { keepObjects } from '../../../src/platform/database/sqlite/kept-objects.js';
import { spawnPetstore } from '../../support/built-service.js';
import { onEveryEngine, sqlite, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';

describe('a command', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    const cleanUps: (() => unknown)[] = [];
    beforeAll(async () => void (database = await engine.create()));
    afterAll(() => database.drop());
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    });
    const run = (args: string[], { url } = database) =>
      petstore(args, { DATABASE_URL: url, MIGRATE_ON_START: 'true' });

    it('that waits for another one, which changes the schema, says so, and then goes on', async () => {
      const fresh = await engine.create();
      cleanUps.push(() => fresh.drop());
      const { sqlite, mysql } = CREATE_LEASES;
      await fresh.execute(
        engine.name === 'SQLite' ? sqlite : mysql,
        `INSERT INTO leases (name, holder, held_until) VALUES ('migrations', 'somebody', ${Date.now() + 60_000})`,
      );
      const command = spawnPetstore(['db', 'migrate'], { DATABASE_URL: fresh.url });
      await command.printed(/Waiting for another process, which holds the lease \\"migrations\\"\./);
      await fresh.execute('DELETE FROM leases');
      expect((await command.end()).stdout).toMatch(/^applied /);
    });

    it('that is to change what somebody has locked ends with the reason', async () => {
      await run(['db', 'migrate']);
      cleanUps.push(await lock(database));
      const { code, stdout, stderr } = await run(['keys', 'issue', '--name', 'shop']);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringMatching(/^petstore: .* The reason: .*\n$/),
      ]);
    });
  }));

describe('a command that needs no Redis', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await sqlite.create();
    await petstore(['db', 'migrate'], { DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it.each([
    'keys list',
    'keys issue --name x',
    'db migrate',
    'db status',
    'events status',
    'doctor',
    'pets export',
  ])('says nothing of one that is away: %s', async (words) => {
    const environment = { DATABASE_URL: database.url, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    const { stderr } = await petstore(words.split(' '), environment);
    expect(stderr).toBe('');
  });
});

/** Another client locks the keys against writes. @returns a function that releases the lock */
async function lock({ url }: TestDatabase): Promise<() => unknown> {
  if (url.startsWith('sqlite:')) {
    const file = new SqliteFile(url.slice('sqlite:'.length));
    keepObjects(file);
    file.exec('BEGIN IMMEDIATE');
    return () => file.close();
  }
  const connection = await createConnection(url);
  await connection.query('LOCK TABLES api_keys WRITE');
  return () => connection.end();
}
