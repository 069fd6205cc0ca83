import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort, programPath } from './local-program.js';

/** A MariaDB of our own: private data, free port, gone when it is stopped. */
export class MariaDbServer {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private process: ChildProcess,
  ) {}

  /** Whether this machine has what `start` needs. */
  static isInstalled(): boolean {
    return ['mariadbd', 'mariadb-install-db'].every((program) => programPath(program) !== undefined);
  }

  static async start(): Promise<MariaDbServer> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mariadb-'));
    execFileSync(programPath('mariadb-install-db')!, [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...asUser(),
    ]);
    const port = await freePort();
    const server = new MariaDbServer(port, folder, launch(folder, port));
    await server.#answering();
    return server;
  }

  /** The URL of a database on this server. */
  url(database: string): string {
    return `mysql://root:@127.0.0.1:${this.port}/${database}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  async #answering(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await (await createConnection({ host: '127.0.0.1', port: this.port, user: 'root' })).end();
        return;
      } catch (error) {
        if (tries > 300 || this.process.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }
}

function launch(folder: string, port: number): ChildProcess {
  return spawn(
    programPath('mariadbd')!,
    [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--performance-schema=OFF',
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=1',
      '--max-connections=300',
      ...asUser(),
    ],
    { stdio: 'ignore' },
  );
}

/** MariaDB refuses to run as root unless it is told so. */
const asUser = () => (process.getuid?.() === 0 ? ['--user=root'] : []);
