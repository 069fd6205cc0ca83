import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { existing } from '../../support/engines.js';
import { Recorder } from '../../support/site/recorder.js';
import { startService } from '../../support/service.js';

const BOOTSTRAP = 'petstore-bootstrap-key-of-these-tests-0123456789';

describe.skipIf(!MariaDbServer.isInstalled())('a server that no waiting makes usable', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    const plugin = ['--plugin-load-add=auth_ed25519', '--plugin-maturity=unknown'];
    server = await MariaDbServer.start(...plugin, '--log-bin', '--server-id=1');
    await server.query(
      'CREATE DATABASE petstore',
      "CREATE USER modern IDENTIFIED VIA ed25519 USING PASSWORD('x')",
      "CREATE USER safe IDENTIFIED BY 'x' REQUIRE SSL",
      'GRANT ALL ON *.* TO modern, safe',
    );
  });
  afterAll(() => server.stop());

  it.each([
    ['uses a password that the driver does not know', 'modern:x', /unknown plugin client_ed25519/],
    ['demands TLS', 'safe:x', /Access denied for user 'safe'.*\?tls=verify/],
    ['knows no such user', 'nobody:x', /Access denied for user 'nobody'/],
  ])('ends the start in its own words, with what to do: it %s', async (_, account, says) => {
    const url = `mysql://${account}@127.0.0.1:${server.port}/petstore`;
    const started = startService(existing({ url }));
    await expect(started).rejects.toThrow(says);
    await expect(started).rejects.toThrow(
      / Check user, password .*docs\/operations\.md#what-the-database-refuses\.$/,
    );
  });

  it('is named with the setting that it must have, where no write can be logged: reads go on, writes are 503', async () => {
    const log = new Recorder();
    const environment = { LOG_LEVEL: 'warn', BOOTSTRAP_API_KEY: BOOTSTRAP };
    const start = () => startService(existing({ url: server.url('petstore') }), { log, environment });
    await (await start()).stop();
    onTestFinished(async () => void (await server.query('SET GLOBAL binlog_format = MIXED')));
    await server.query('SET GLOBAL binlog_format = STATEMENT');
    const { client, stop } = await start();
    onTestFinished(stop);
    expect(log.text).toMatch(
      /BINLOG_FORMAT = STATEMENT .* READ COMMITTED .*\. Make the server or the file writable/,
    );
    expect((await client.get('/v1/pets')).status).toBe(200);
    const { status, json } = await client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    expect([status, (json as { code: string }).code]).toEqual([503, 'database_read_only']);
    expect(log.text).not.toMatch(/"level":50/);
  });
});
