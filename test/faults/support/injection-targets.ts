import { MariaDbServer } from '../../support/mariadb-server.js';
import { SqliteDatabase } from './sqlite-database.js';

type Rows = Record<string, unknown>[];
/** A database that is attacked through the service, and looked into behind its back. */
export interface Target {
  readonly url: string;
  query(statement: string): Rows | Promise<Rows>;
  stop(): unknown;
}

async function mariaDb(...extra: string[]): Promise<Target> {
  const server = await MariaDbServer.start(...extra);
  await server.query('CREATE DATABASE petstore');
  return {
    url: server.url('petstore'),
    query: (statement) => server.query('USE petstore', statement),
    stop: () => server.stop(),
  };
}

function sqlite(): Promise<Target> {
  const database = new SqliteDatabase();
  const { url } = database;
  return Promise.resolve({ url, query: (text) => database.query(text), stop: () => database.remove() });
}

/** Where a text could be taken for SQL, and what is special there. */
export const TARGETS = [
  { name: 'SQLite', installed: true, start: sqlite },
  { name: 'MariaDB', installed: MariaDbServer.isInstalled(), start: () => mariaDb() },
  {
    name: 'MariaDB where a backslash escapes nothing',
    installed: MariaDbServer.isInstalled(),
    start: () => mariaDb('--sql-mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES'),
  },
];
