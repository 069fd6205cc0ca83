import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';

/** More than Node's default backlog, which is 511. */
const CONNECTIONS = 1_000;

describe('a service that is too busy to accept connections', () => {
  let folder: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-burst-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it.skipIf(process.platform !== 'linux')(
    'lets a burst of them wait: who is ignored asks again only a second later',
    async ({ onTestFinished }) => {
      const service = startBundled({ DATABASE_URL: 'sqlite::memory:', MAX_CONNECTIONS: '2000' }, folder);
      const sockets: Socket[] = [];
      onTestFinished(async () => {
        for (const socket of sockets) socket.destroy();
        await service.stop('SIGKILL');
      });
      const [, port] = await service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
      const allowed = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
      service.freeze();
      let connected = 0;
      for (let i = 0; i < CONNECTIONS; i++) {
        sockets.push(connect({ port: Number(port), host: '127.0.0.1' }, () => (connected += 1)));
      }
      await eventually(() => Promise.resolve(connected >= Math.min(CONNECTIONS, allowed)));
    },
  );
});
