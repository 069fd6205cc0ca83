import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { describe, inject } from 'vitest';
import { keepObjects } from './rooms/database.js';
import { askServer } from './databases/database-server.js';

export interface ServiceDatabase {
  /** As in `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

export interface TestDatabase extends ServiceDatabase {
  /** Executes statements directly, not through the service. */
  execute(...statements: string[]): Promise<void>;
  /** Reads rows directly, not through the service. */
  query(statement: string): Promise<Record<string, unknown>[]>;
}

export interface Engine {
  readonly name: string;
  readonly installed: boolean;
  create(): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'SQLite',
  installed: true,
  create() {
    const file = join(tmpdir(), `petstore-${randomUUID()}.db`);
    const drop = async () => {
      for (const suffix of ['', '-wal', '-shm', '-service', '-service-journal'])
        await rm(file + suffix, { force: true });
    };
    const open = (options: SqliteFile.Options) => {
      const connection = new SqliteFile(file, options);
      keepObjects(connection);
      return connection;
    };
    const execute = (...statements: string[]) => {
      const connection = open({});
      connection.exec(statements.join(';\n'));
      connection.close();
      return Promise.resolve();
    };
    const query = (statement: string) => {
      const connection = open({ readonly: true });
      const rows = connection.prepare(statement).all() as Record<string, unknown>[];
      connection.close();
      return Promise.resolve(rows);
    };
    return Promise.resolve({ url: `sqlite:${file}`, execute, query, drop });
  },
};

/** An engine whose server listens on a port of this machine. */
const onServer = (name: string, port: number | undefined): Engine => ({
  name,
  installed: port !== undefined,
  async create() {
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    const administer = (...statements: string[]) => askServer(port!, statements);
    await administer(`CREATE DATABASE ${database}`);
    return {
      url: `mysql://root:@127.0.0.1:${port}/${database}`,
      execute: async (...statements) => void (await administer(`USE ${database}`, ...statements)),
      query: (statement) => administer(`USE ${database}`, statement),
      drop: async () => void (await administer(`DROP DATABASE ${database}`)),
    };
  },
});

export const mariaDb = onServer('MariaDB', inject('mariaDbPort'));
export const mySql = onServer('MySQL', inject('mySql')?.port);

export const existing = ({ url }: Pick<ServiceDatabase, 'url'>) => ({
  create: () => Promise.resolve({ url, drop: () => Promise.resolve() }),
});

/** Runs a suite on each engine; if an engine is not installed, its tests are reported as skipped. */
export function onEveryEngine(suite: (engine: Engine) => void, engines = [sqlite, mariaDb]): void {
  for (const engine of engines) describe.skipIf(!engine.installed)(`on ${engine.name}`, () => suite(engine));
}

/** Runs a suite on MySQL too, for behaviour that may differ between the servers. */
export const onMySqlToo = (suite: (engine: Engine) => void): void =>
  onEveryEngine(suite, [sqlite, mariaDb, mySql]);

/** Runs a suite on SQLite alone, because what it tests does not depend on the engine. */
export const onOneEngine = (suite: (engine: Engine) => void): void => suite(sqlite);
