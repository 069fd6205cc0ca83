import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { forgetFolder, keepFolder } from '../processes/keeper.js';
import { freePort, programPath } from '../processes/local-program.js';
import { LocalServer } from '../processes/local-server.js';
import { mariaDbArguments } from './mariadb-arguments.js';
import { makeData } from './mariadb-data.js';

export type SqlRow = Record<string, unknown>;

/** A private MariaDB server: own data, free port, removed when it is stopped. */
export class MariaDbServer {
  readonly #server = new LocalServer(programPath('mariadbd')!);
  /** Environment variables that are added to those of this process at launch. */
  environment: Readonly<Record<string, string>> = {};

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly extra: readonly string[],
  ) {}

  /** Whether this machine has what `start` needs. */
  static isInstalled(): boolean {
    return ['mariadbd', 'mariadb-install-db'].every((program) => programPath(program) !== undefined);
  }

  /** `extra` are arguments of the server, such as `--sql-mode=`. */
  static async start(...extra: string[]): Promise<MariaDbServer> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-mariadb-'));
    keepFolder(folder);
    await makeData(folder);
    const server = new MariaDbServer(await freePort(), folder, extra);
    await server.launch();
    return server;
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** The URL of a database on this server, for its administrator or for a user without a password. */
  url(database: string, user = 'root'): string {
    return `mysql://${user}:@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts or restarts it, with the same data on the same port; returns when it accepts queries. */
  async launch(): Promise<void> {
    const args = [...mariaDbArguments(this.folder, this.port), ...asUser(), ...this.extra];
    this.#server.launch(args, this.environment);
    for (let tries = 0; ; tries++) {
      try {
        await this.query();
        return;
      } catch (error) {
        if (tries > 600 || !this.#server.isRunning) throw new Error(this.#server.output, { cause: error });
        await sleep(25);
      }
    }
  }

  /** @returns the rows of the last statement */
  query(...statements: string[]): Promise<SqlRow[]> {
    return askServer(this.port, statements);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    return this.#server.end(signal);
  }

  freeze(): void {
    this.#server.freeze();
  }

  thaw(): void {
    this.#server.thaw();
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }
}

/** Executes statements as administrator, over a local port or a Unix socket. @returns the rows of the last statement */
export async function askServer(where: number | string, statements: readonly string[]): Promise<SqlRow[]> {
  const at = typeof where === 'number' ? { host: '127.0.0.1', port: where } : { socketPath: where };
  const connection = await createConnection({ ...at, user: 'root', connectTimeout: 5_000 });
  try {
    let rows: unknown = [];
    for (const statement of statements) [rows] = await connection.query(statement);
    return rows as SqlRow[];
  } finally {
    connection.destroy();
  }
}

/** MariaDB refuses to run as root without this argument. */
const asUser = () => (process.getuid?.() === 0 ? ['--user=root'] : []);
