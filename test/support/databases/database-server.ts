import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { forgetFolder, keepFolder } from '../processes/keeper.js';
import { LocalServer } from '../processes/local-server.js';

export type SqlRow = Record<string, unknown>;

/** A private server of MariaDB or MySQL: own data, free port, removed when it is stopped. */
export class DatabaseServer {
  readonly #server: LocalServer;
  /** Environment variables that are added to those of this process at launch. */
  environment: Readonly<Record<string, string>> = {};

  /** `folder` is one of `makeFolder`, with the initial data of the server. */
  constructor(
    readonly port: number,
    readonly folder: string,
    program: string,
    private readonly args: readonly string[],
  ) {
    this.#server = new LocalServer(program);
  }

  /** A new folder that does not outlive the tests. */
  static async makeFolder(prefix: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    keepFolder(folder);
    return folder;
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
    this.#server.launch(this.args, this.environment);
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

/** MariaDB and MySQL refuse to run as root without this argument. */
export const asUser = (): string[] => (process.getuid?.() === 0 ? ['--user=root'] : []);
