import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { RunningClock } from '../../support/clocks.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { startService } from '../../support/service.js';

/** The findings of the doctor that are not ok, each as its check, the finding and the remedy. */
async function findings(url: string, more: Record<string, string> = {}): Promise<string[]> {
  const environment = { LOG_LEVEL: 'silent', DATABASE_URL: url, ...more };
  const { code, output } = await petstore(['doctor', '--json'], environment);
  const found = JSON.parse(output.slice(output.indexOf('[{"check"'))) as Record<string, string>[];
  const wrong = found.filter(({ state }) => state !== 'ok');
  expect(code).toBe(wrong.some(({ state }) => state === 'problem') ? 1 : 0);
  return wrong.map(({ check, what, remedy }) => `${check}: ${what} ${remedy}`);
}

const RESTORE =
  'Restore it from the backup. If it is new, its module lacks a migration: npm run migration:generate.';
/** A key, because the doctor reports it if there is none. */
const KEY =
  "INSERT INTO api_keys (id, name, secret_hash, created_at) VALUES (1, 'shop', '0123456789abcdef', 1)";

describe('the doctor of tables', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await engine.create();
      await petstore(['db', 'migrate'], { DATABASE_URL: database.url });
      await database.execute(KEY, "UPDATE sequences SET next_id = 2 WHERE name = 'api_keys'");
    });
    afterEach(() => database.drop());
    /** Without the warning that the server of this run does not flush to disk at a commit. */
    const wrong = async () => (await findings(database.url)).filter((text) => !text.includes('innodb_flush'));

    it('says which table and which column is missing, and a service refuses to start', async () => {
      await database.execute('DROP TABLE imports', 'ALTER TABLE orders DROP COLUMN placed_at');
      const expected = [
        `The table imports is missing. ${RESTORE}`,
        `The table orders has no column placed_at. ${RESTORE}`,
      ];
      expect(await wrong()).toEqual(expected.map((text) => `tables: ${text}`));
      await expect(startService(existing(database))).rejects.toThrow(expected.join('\n'));
    });

    it('says nothing of columns that a newer version has added, beside which this one serves', async () => {
      await database.execute(
        'ALTER TABLE orders ADD COLUMN note INTEGER',
        'ALTER TABLE pets ADD COLUMN price INTEGER NOT NULL DEFAULT 3',
      );
      expect(await wrong()).toEqual([]);
      const service = await startService(existing(database));
      expect((await service.stranger.get('/readyz')).status).toBe(200);
      await service.stop();
    });
  }));

describe.skipIf(!MariaDbServer.isInstalled())('the doctor of a server', () => {
  let server: MariaDbServer;
  let folder: string;
  const root = () => server.url('petstore');
  const shop = (password = '') => server.url('petstore', 'shop').replace(':@', `:${password}@`);
  const inDatabase = (...statements: string[]) => server.query('USE petstore', ...statements);
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-doctor-'));
    server = await MariaDbServer.start();
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    await server.query(
      'CREATE OR REPLACE DATABASE petstore',
      "CREATE OR REPLACE USER shop@'%'",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON petstore.* TO shop@'%'",
    );
    await petstore(['db', 'migrate'], { DATABASE_URL: root() });
    await inDatabase(KEY, "UPDATE sequences SET next_id = 2 WHERE name = 'api_keys'");
  });

  it('names each missing grant, with the statement that grants it', async () => {
    const lacking = async (...statements: string[]) => {
      await server.query(...statements);
      const found = await findings(shop());
      await server.query(
        ...found.map((text) => /GRANT .*;$/.exec(text)![0]).flatMap((text) => text.split(/(?<=;) /)),
      );
      expect(await findings(shop())).toEqual([]);
      return found;
    };
    expect(await lacking("REVOKE INSERT, DELETE ON petstore.* FROM shop@'%'")).toEqual([
      "writes: The user of the database may not INSERT in any table. GRANT INSERT ON `petstore`.* TO 'shop'@'%';",
      "writes: The user of the database may not DELETE in any table. GRANT DELETE ON `petstore`.* TO 'shop'@'%';",
    ]);
    const tables = (await inDatabase('SHOW TABLES')).map((row) => Object.values(row as object).join());
    const others = tables.filter((table) => table !== 'orders');
    expect(
      await lacking(
        "REVOKE ALL ON petstore.* FROM shop@'%'",
        ...others.map((table) => `GRANT SELECT, INSERT, UPDATE, DELETE ON petstore.${table} TO shop@'%'`),
        "GRANT INSERT, UPDATE, DELETE ON petstore.orders TO shop@'%'",
      ),
    ).toEqual([
      "tables: The user of the database may not SELECT from orders. GRANT SELECT ON `petstore`.`orders` TO 'shop'@'%';",
    ]);
    expect(await lacking("REVOKE SELECT ON petstore.migrations FROM shop@'%'")).toEqual([
      "schema: The user of the database may not read which migrations are applied. GRANT SELECT ON `petstore`.migrations TO 'shop'@'%';",
    ]);
    await inDatabase("DELETE FROM migrations WHERE name LIKE 'CreateJobs%'", 'DROP TABLE jobs');
    expect(await findings(shop())).toEqual([
      expect.stringMatching(/^schema: Migrations are missing: CreateJobs\d+\. petstore db migrate$/),
      "schema: The user of the database may not migrate, for it lacks CREATE, ALTER, DROP, INDEX. GRANT CREATE, ALTER, DROP, INDEX ON `petstore`.* TO 'shop'@'%';",
    ]);
  });

  it('tells apart who is not let in, where nobody listens, and what is not there', async () => {
    await server.query("ALTER USER shop@'%' IDENTIFIED BY 'p%41ss'");
    // The password without percent-encoding, so that it is decoded as "pAss".
    expect(await findings(shop('p%41ss'))).toEqual([
      expect.stringMatching(
        /^database: .*ER_ACCESS_DENIED_ERROR.* rejects user shop with this password .* % of the password is written %25/,
      ),
    ]);
    expect(await findings(shop('p%2541ss'))).toEqual([]);
    for (const password of ['p@ss', 'p/ss', 'p?ss', 'p%zss']) {
      expect(await findings(shop(password))).toEqual([
        expect.stringMatching(
          /^configuration: DATABASE_URL: .* in a password are written as %2F %40 %3A %3F %23 %25 /,
        ),
      ]);
    }
    expect(await findings(server.url('petstoree'))).toEqual([
      expect.stringMatching(/ER_BAD_DB_ERROR.* It has no such database: CREATE DATABASE `petstoree`;/),
    ]);
    const nobody = await freePort();
    expect(await findings(root().replace(`:${server.port}`, `:${nobody}`))).toEqual([
      expect.stringMatching(
        new RegExp(`ECONNREFUSED.* Nothing listens at 127\\.0\\.0\\.1:${nobody}: start it`),
      ),
    ]);
    expect(await findings(root().replace('127.0.0.1', 'nowhere.invalid'))).toEqual([
      expect.stringMatching(/(?:ENOTFOUND|EAI_AGAIN).* No address is known of nowhere\.invalid/),
    ]);
    expect(await findings(`${root().replace('127.0.0.1', 'localhost')}?tls=verify`)).toEqual([
      expect.stringMatching(/HANDSHAKE_NO_SSL_SUPPORT.* It does not support TLS/),
    ]);
    await server.query("REVOKE ALL ON petstore.* FROM shop@'%'");
    const [noGrant] = await findings(shop('p%2541ss'));
    expect(noGrant).toMatch(
      /Its user has no right to this database: GRANT .* ON `petstore`\.\* TO 'shop'@'%';$/,
    );
    // The start fails with the same sentence, without a stack trace.
    const environment = { DATABASE_URL: shop('p%2541ss'), LOG_LEVEL: 'fatal' };
    const { code, output } = await startBundled(environment, folder).end();
    expect([code, output]).toEqual([1, `${noGrant!.replace('database: ', '')}\n`]);
  });

  it('counts the connections that replicas may open against those that the server allows', async () => {
    const connections = async (more: Record<string, string> = {}) => findings(shop(), more);
    expect(await connections()).toEqual([]);
    expect(await connections({ WORKERS: '4', DB_POOL_SIZE: '100' })).toEqual([
      expect.stringMatching(
        /^connections: max_connections is 300, .* room for 0 replicas with 400 each \(WORKERS x DB_POOL_SIZE\)\. \d+ are open, from 1 machine\. Raise max_connections, or lower /,
      ),
    ]);
    await server.query("ALTER USER shop@'%' WITH MAX_USER_CONNECTIONS 9");
    expect(await connections()).toEqual([
      expect.stringMatching(/^connections: max_user_connections is 9: room for 0 replicas with 10 each/),
    ]);
  });

  it.each([
    ['server', ['SET GLOBAL read_only = 1'], ['SET GLOBAL read_only = 0'], /settings: read_only is on/],
    ['user', ["REVOKE INSERT, UPDATE, DELETE ON petstore.* FROM shop@'%'"], [], /GRANT INSERT/],
  ])(
    'finds a %s that is read-only; the service starts all the same, says so, and is read',
    async (_, begin, end, says) => {
      await inDatabase(
        "INSERT INTO pets (id, name, category_id, status) VALUES (1, 'Rex', 7, 'available')",
        "UPDATE sequences SET next_id = 2 WHERE name = 'pets'",
      );
      const first = await startService(existing({ url: shop() }), {
        environment: { BOOTSTRAP_API_KEY: 'a-key-that-the-operator-has-brought-along' },
      });
      await first.stop();
      await server.query(...begin);
      const found = await findings(shop());
      expect(found.join('\n')).toMatch(says);
      expect(found.join('\n')).toMatch(/^writes: /m);

      const log = new Recorder();
      // It has a new bootstrap key, which cannot be stored, and would migrate.
      const service = await startService(existing({ url: shop() }), {
        environment: { BOOTSTRAP_API_KEY: 'another-key-that-the-operator-has-brought' },
        clock: new RunningClock(),
        log,
      });
      const headers = { Authorization: 'Bearer a-key-that-the-operator-has-brought-along' };
      expect((await service.stranger.get('/v1/pets', { headers })).json).toMatchObject([{ name: 'Rex' }]);
      await service.stop();
      await server.query(...end, 'DO 0');
      expect(log.text).toMatch(
        /"context":"Start","msg":"The (?:database refuses|user of the database may not) INSERT/,
      );
      expect(log.text).toContain('No key is registered, because the database accepts no writes.');
    },
  );
});
