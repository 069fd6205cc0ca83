import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** The path of a program on this machine; Debian installs servers in folders that a user's PATH often lacks. */
export function programPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/**
 * A TCP port that is reserved until this process ends, whether or not a server listens on it: for servers that are stopped at
 * times and must find their port free again. It is below the range for outgoing connections: a connection attempt to an unused
 * port in that range may connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * The UDP port of the same number is unused, so it serves as a lock on the TCP port: all test runs on one machine respect it,
 * and the system releases it however a process ends.
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
