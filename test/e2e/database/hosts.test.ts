import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startBundled } from '../../support/built-service.js';
import { existing, mariaDb, type TestDatabase } from '../../support/engines.js';
import { freePort, programPath } from '../../support/processes/local-program.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { startService } from '../../support/service.js';
import { SlowProxy } from '../../support/databases/slow-proxy.js';

describe.skipIf(!mariaDb.installed)('a database on several hosts', () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await mariaDb.create()));
  afterEach(() => database.drop());

  it('is used through the first reachable host, and through the next one without a failed request when that host is gone', async () => {
    const port = inject('mariaDbPort')!;
    const atOnce = () => 0;
    let first = await SlowProxy.before(port, atOnce);
    const second = await SlowProxy.before(port, atOnce);
    const hosts = [await freePort(), first.port, second.port].map((one) => `127.0.0.1:${one}`);
    const url = database.url.replace(/@[^/]*/, `@${hosts.join()}`);
    const service = await startService(existing({ url }));
    const list = async () => (await service.client.get('/v1/pets')).status;
    const add = async () => (await service.client.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status;
    expect([await list(), second.connections]).toEqual([200, 0]);
    const { port: sameAgain } = first;
    await first.close();
    expect([await list(), await add(), await list()]).toEqual([200, 201, 200]);
    expect(second.connections).toBeGreaterThan(0);

    first = await SlowProxy.before(port, atOnce, sameAgain);
    while (first.connections === 0) expect([await list(), await add()]).toEqual([200, 201]);
    await service.stop();
    await first.close();
    await second.close();
  });
});

describe.skipIf(!mariaDb.installed || !programPath('openssl'))('a database behind TLS', () => {
  let folder: string;
  let server: MariaDbServer;
  let certificate: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-tls-'));
    const key = join(folder, 'key');
    certificate = join(folder, 'certificate');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', key, '-out', certificate];
    const how = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    execFileSync('openssl', [...how, ...subject, ...files], { stdio: 'pipe' });
    server = await MariaDbServer.start(`--ssl-cert=${certificate}`, `--ssl-key=${key}`);
    await server.query('CREATE DATABASE petstore');
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['is used when its certificate is valid for its name', true, /Pet Store +http/],
    [
      'is not used when its certificate is not trusted',
      false,
      /cannot be reached \(HANDSHAKE_SSL_ERROR \(.*\)\)\. Waiting/,
    ],
  ])('%s', async (_, isTrusted, says) => {
    const service = startBundled(
      {
        DATABASE_URL: `mysql://root:@localhost:${server.port}/petstore?tls=verify`,
        MIGRATE_ON_START: 'true',
        ...(isTrusted && { NODE_EXTRA_CA_CERTS: certificate }),
      },
      folder,
    );
    await service.printed(says);
    await service.stop();
  });
});
