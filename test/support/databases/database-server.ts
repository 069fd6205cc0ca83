import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { forgetFolder, keepFolder } from '../processes/keeper.js';
import { LocalServer } from '../processes/local-server.js';

export type SqlRow = Record<string, unknown>;

/** A private server of MariaDB or MySQL: own data, free port, removed when it is stopped. */
export class DatabaseServer extends LocalServer {
  /** `folder` is one of `makeFolder`, with the initial data of the server. */
  constructor(
    readonly port: number,
    readonly folder: string,
    program: string,
    private readonly args: readonly string[],
  ) {
    super(program);
  }

  /** A new folder that does not outlive the tests. */
  static async makeFolder(prefix: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), prefix));
    keepFolder(folder);
    return folder;
  }

  /** The URL of a database on this server, for its administrator or for a user without a password. */
  url(database: string, user = 'root'): string {
    return `mysql://${user}:@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts or restarts it, with the same data on the same port; returns when it accepts queries. */
  async launch(): Promise<void> {
    this.run(this.args);
    for (let tries = 0; ; tries++) {
      try {
        await this.query();
        return;
      } catch (error) {
        if (tries > 600 || !this.isRunning) throw new Error(this.output, { cause: error });
        await sleep(25);
      }
    }
  }

  /** @returns the rows of the last statement */
  query(...statements: string[]): Promise<SqlRow[]> {
    return askServer(this.port, statements);
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

/** MariaDB and MySQL do not run as root without this argument. */
export const asUser = (): string[] => (process.getuid?.() === 0 ? ['--user=root'] : []);
