import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where a program of this machine lies; Debian keeps servers in folders that a user's PATH often lacks. */
export function programPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** A TCP port that was free a moment ago. */
export function freePort(wished = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(wished, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/**
 * A free port that no outgoing connection is given, because it lies below those: for servers that are away at times and must
 * find their port free again. Besides, who calls a port of the others in vain may be connected with himself.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = await freePort(10_000 + Math.floor(Math.random() * 20_000)).catch(() => undefined);
    if (port !== undefined) return port;
  }
}
