import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where a program of this machine lies; Debian keeps servers in folders that a user's PATH often lacks. */
export function programPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/**
 * A TCP port that stays ours until this process ends, whether anybody listens on it or not: for servers that are away at
 * times and must find their port free again. It lies below the ports that the system gives to outgoing connections: who
 * calls such a port in vain may be connected with himself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Nobody needs the UDP port of the same number, so whoever holds it has reserved the TCP port: all test runs on one machine
 * heed that, and the system takes it back however a process ends.
 */
function reserve(port: number): Promise<boolean> {
  const reservation = createSocket('udp4').unref();
  reservation.bind({ port, address: '127.0.0.1', exclusive: true });
  return once(reservation, 'listening').then(
    () => true,
    () => false,
  );
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  return once(probe, 'listening').then(
    async () => {
      probe.close();
      await once(probe, 'close');
      return true;
    },
    () => false,
  );
}
