import SqliteFile from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CREATE_LEASES, keepObjects } from '../../support/rooms/database.js';
import { spawnPetstore } from '../../support/built-service.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';

describe('a command', () => {
  let database: TestDatabase;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => void (database = await sqlite.create()));
  afterAll(() => database.drop());
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });
  const run = (args: string[], { url } = database) =>
    petstore(args, { DATABASE_URL: url, MIGRATE_ON_START: 'true' });

  it('that waits while another command changes the schema says so, and then continues', async () => {
    const fresh = await sqlite.create();
    cleanUps.push(() => fresh.drop());
    await fresh.execute(
      CREATE_LEASES.sqlite,
      `INSERT INTO leases (name, holder, held_until) VALUES ('migrations', 'somebody', ${Date.now() + 60_000})`,
    );
    const command = spawnPetstore(['db', 'migrate'], { DATABASE_URL: fresh.url });
    await command.printed(/Waiting for another process, which holds the lease \\"migrations\\"\./);
    await fresh.execute('DELETE FROM leases');
    expect((await command.end()).stdout).toMatch(/^applied /);
  });

  it('that cannot change the database because of a lock ends with the reason', async () => {
    await run(['db', 'migrate']);
    // Stands for another process, whose lock keeps others from writing.
    const file = new SqliteFile(database.url.slice('sqlite:'.length));
    keepObjects(file);
    file.exec('BEGIN IMMEDIATE');
    cleanUps.push(() => file.close());
    const { code, stdout, stderr } = await run(['keys', 'issue', '--name', 'shop']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^petstore: .* The reason: .*\n$/)]);
  });
});

describe('a command that needs no Redis', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await sqlite.create();
    await petstore(['db', 'migrate'], { DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it.each(['keys issue --name x', 'db migrate', 'doctor', 'pets export'])(
    'prints nothing about a Redis that is not available: %s',
    async (words) => {
      const environment = { DATABASE_URL: database.url, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
      const { stderr } = await petstore(words.split(' '), environment);
      expect(stderr).toBe('');
    },
  );
});
