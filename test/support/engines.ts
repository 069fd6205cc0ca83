import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { describe, inject } from 'vitest';

/** An empty database of one test file. */
export interface TestDatabase {
  /** As in `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
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
    return Promise.resolve({ url: `sqlite:${file}`, drop });
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
      drop: () => administer(`DROP DATABASE ${database}`),
    };
  },
};

async function administer(statement: string): Promise<void> {
  const connection = await createConnection({ host: '127.0.0.1', port: port!, user: 'root' });
  await connection.query(statement);
  await connection.end();
}

/** Runs a suite on each engine; where one is not installed its tests count as skipped. */
export function onEveryEngine(suite: (engine: Engine) => void): void {
  for (const engine of [sqlite, mariaDb]) {
    describe.skipIf(!engine.installed)(`on ${engine.name}`, () => suite(engine));
  }
}
