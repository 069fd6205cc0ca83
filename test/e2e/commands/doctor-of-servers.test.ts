import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { RunningClock } from '../../support/clocks.js';
import { examine } from '../../support/doctor.js';
import { existing, mySql } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { MySqlServer } from '../../support/databases/mysql-server.js';
import { WITHOUT_THE_DISK } from '../../support/databases/server-arguments.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { startService } from '../../support/service.js';

/** The findings of the doctor for a database that is not ok. */
const findings = async (url: string) => (await examine({ DATABASE_URL: url })).wrong;

describe.skipIf(!MariaDbServer.isInstalled())('the doctor of a server', () => {
  let server: MariaDbServer;
  let folder: string;
  const root = () => server.url('petstore');
  const shop = (password = '') => server.url('petstore', 'shop').replace(':@', `:${password}@`);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-doctor-'));
    server = await MariaDbServer.start('--log-bin', '--sync-binlog=1', '--server-id=1');
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
  });

  it('reports different problems for a rejected login, a closed port, and a missing database', async () => {
    await server.query("ALTER USER shop@'%' IDENTIFIED BY 'p%41ss'");
    // The password without percent-encoding, so that it is decoded as "pAss".
    expect(await findings(shop('p%41ss'))).toEqual([
      expect.stringMatching(
        /^database: .*ER_ACCESS_DENIED_ERROR.* Check user, password \(its % is %25\) and \?tls=verify /,
      ),
    ]);
    expect(await findings(shop('p%2541ss'))).toEqual([]);
    expect(await findings(shop('p@ss'))).toEqual([
      expect.stringMatching(
        /^settings: DATABASE_URL: .* in a password are written as %2F %40 %3A %3F %23 %25 /,
      ),
    ]);
    expect(await findings(server.url('petstoree'))).toEqual([
      expect.stringMatching(/ER_BAD_DB_ERROR.*Unknown database 'petstoree'.* Check user, .* database/),
    ]);
    const nobody = await freePort();
    expect(await findings(root().replace(`:${server.port}`, `:${nobody}`))).toEqual([
      expect.stringMatching(new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${nobody}.* Check that it runs`)),
    ]);
    expect(await findings(root().replace('127.0.0.1', 'nowhere.invalid'))).toEqual([
      expect.stringMatching(
        /(?:ENOTFOUND|EAI_AGAIN).* nowhere\.invalid\)\. Check that it runs, and check DATABASE_URL/,
      ),
    ]);
    expect(await findings(`${root().replace('127.0.0.1', 'localhost')}?tls=verify`)).toEqual([
      expect.stringMatching(/HANDSHAKE_NO_SSL_SUPPORT.*Server does not support secure connection/),
    ]);
    await server.query("REVOKE ALL ON petstore.* FROM shop@'%'");
    const [noGrant] = await findings(shop('p%2541ss'));
    expect(noGrant).toMatch(
      /Access denied for user 'shop'.* to database 'petstore'.* the privileges of the user\. See docs\/operations\.md#errors-of-the-database\.$/,
    );
    // The start fails with the same sentence, without a stack trace.
    const environment = { DATABASE_URL: shop('p%2541ss'), LOG_LEVEL: 'fatal' };
    const { code, output } = await startBundled(environment, folder).end();
    expect([code, output]).toEqual([1, `${noGrant!.replace('database: ', '')}\n`]);
  });

  it('warns of settings that lose changes when the machine crashes, and exits with 0', async () => {
    for (const [setting, durable, lossy] of [
      ['innodb_flush_log_at_trx_commit', 1, 2],
      ['sync_binlog', 1, 0],
    ] as const) {
      await server.query(`SET GLOBAL ${setting} = ${lossy}`);
      const { code, wrong } = await examine({ DATABASE_URL: shop() });
      const log = new Recorder();
      const service = await startService(existing({ url: shop() }), { log, clock: new RunningClock() });
      await service.stop();
      await server.query(`SET GLOBAL ${setting} = ${durable}`);
      const loses = `If the machine of the server crashes, acknowledged changes are lost: ${setting}=${lossy}.`;
      const remedy = 'Set it to 1, unless other nodes of a cluster keep the changes.';
      expect([code, wrong]).toEqual([0, [`database: ${loses} ${remedy}`]]);
      expect(log.text).toContain(`"context":"Start","msg":"${loses} ${remedy}"`);
    }
    expect(await findings(shop())).toEqual([]);
  });

  it('ends soon for a server that does not respond, and reports it', async () => {
    server.freeze();
    const begun = performance.now();
    const found = await findings(root());
    expect(performance.now() - begun).toBeLessThan(10_000);
    server.thaw();
    expect(found).toEqual([expect.stringMatching(/^database: /)]);
  });

  it('finds a read-only server; the service still starts, logs the reason, and answers reads', async () => {
    await server.query(
      'USE petstore',
      "INSERT INTO pets (id, name, category_id, status) VALUES (1, 'Rex', 7, 'available')",
      "UPDATE sequences SET next_id = 2 WHERE name = 'pets'",
    );
    const first = await startService(existing({ url: shop() }), {
      environment: { BOOTSTRAP_API_KEY: 'a-key-that-the-operator-has-brought-along' },
    });
    await first.stop();
    await server.query('SET GLOBAL read_only = 1');
    expect((await findings(shop())).join('\n')).toMatch(
      /^writes: The database rejects a write: .* Make the server or the file writable/m,
    );

    const log = new Recorder();
    // This service has a new bootstrap key, which it cannot store, and it would migrate at its start.
    const service = await startService(existing({ url: shop() }), {
      environment: { BOOTSTRAP_API_KEY: 'another-key-that-the-operator-has-brought' },
      clock: new RunningClock(),
      log,
    });
    const headers = { Authorization: 'Bearer a-key-that-the-operator-has-brought-along' };
    expect((await service.stranger.get('/v1/pets', { headers })).json).toMatchObject([{ name: 'Rex' }]);
    await service.stop();
    await server.query('SET GLOBAL read_only = 0');
    expect(log.text).toMatch(
      /"context":"Start","msg":"The database rejects a write: .* Make the server or the file writable, .*Reads may still work/,
    );
    expect(log.text).toContain('No key is registered, because the database accepts no writes.');
  });
});

it.skipIf(!mySql.installed)('the doctor of a MySQL that requires TLS names the setting', async () => {
  const server = await MySqlServer.start(...WITHOUT_THE_DISK);
  await server.query('CREATE DATABASE petstore', 'SET GLOBAL require_secure_transport = ON');
  const found = await findings(server.url('petstore'));
  await server.stop();
  expect(found).toEqual([
    expect.stringMatching(/ER_SECURE_TRANSPORT_REQUIRED.*\. Add \?tls=verify to DATABASE_URL\.$/),
  ]);
});
