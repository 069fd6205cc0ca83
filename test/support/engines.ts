import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { describe, inject } from 'vitest';

/** What a service must know of its database. */
export interface ServiceDatabase {
  /** As in `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of one test file. */
export interface TestDatabase extends ServiceDatabase {
  /** Does something to it behind the service's back. */
  execute(statement: string): Promise<void>;
}

/** A real engine that tests run on. */
export interface Engine {
  readonly name: string;
  readonly installed: boolean;
  create(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: 'SQLite',
  installed: true,
  create() {
    const file = join(tmpdir(), `petstore-${randomUUID()}.db`);
    const drop = async () => {
      for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true });
    };
    const execute = (statement: string) => {
      const connection = new SqliteFile(file);
      connection.exec(statement);
      connection.close();
      return Promise.resolve();
    };
    return Promise.resolve({ url: `sqlite:${file}`, execute, drop });
  },
};

const port = inject('mariaDbPort');

const mariaDb: Engine = {
  name: 'MariaDB',
  installed: port !== undefined,
  async create() {
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    await administer(`CREATE DATABASE ${database}`);
    return {
      url: `mysql://root:@127.0.0.1:${port}/${database}`,
      execute: (statement) => administer(`USE ${database}`, statement),
      drop: () => administer(`DROP DATABASE ${database}`),
    };
  },
};

async function administer(...statements: string[]): Promise<void> {
  const connection = await createConnection({ host: '127.0.0.1', port: port!, user: 'root' });
  for (const statement of statements) await connection.query(statement);
  await connection.end();
}

/** Runs a suite on each engine; where one is not installed its tests count as skipped. */
export function onEveryEngine(suite: (engine: Engine) => void): void {
  for (const engine of [sqlite, mariaDb]) {
    describe.skipIf(!engine.installed)(`on ${engine.name}`, () => suite(engine));
  }
}
