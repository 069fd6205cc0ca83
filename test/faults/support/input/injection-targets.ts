import { type Engine, mariaDb } from '../../../support/engines.js';
import type { SqlRow } from '../../../support/databases/database-server.js';
import { MariaDbServer } from '../../../support/databases/mariadb-server.js';
import { SqliteDatabase } from '../servers/sqlite-database.js';

/** A database that is attacked through the service, and inspected directly. */
export interface Target {
  readonly url: string;
  query(statement: string): SqlRow[] | Promise<SqlRow[]>;
  stop(): unknown;
}

function sqlite(): Promise<Target> {
  const database = new SqliteDatabase();
  const { url } = database;
  return Promise.resolve({ url, query: (text) => database.query(text), stop: () => database.remove() });
}

async function shared(engine: Engine): Promise<Target> {
  const { url, query, drop } = await engine.create();
  return { url, query, stop: drop };
}

async function strange(): Promise<Target> {
  const server = await MariaDbServer.start('--sql-mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES');
  await server.query('CREATE DATABASE petstore');
  return {
    url: server.url('petstore'),
    query: (statement) => server.query('USE petstore', statement),
    stop: () => server.stop(),
  };
}

/** The databases on which a text could be taken for SQL, one of them with special SQL modes. */
export const TARGETS = [
  { name: 'SQLite', installed: true, start: sqlite },
  { name: 'MariaDB', installed: mariaDb.installed, start: () => shared(mariaDb) },
  { name: 'MariaDB where a backslash escapes nothing', installed: mariaDb.installed, start: strange },
];
