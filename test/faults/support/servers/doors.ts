import { MariaDbServer } from '../../../support/databases/mariadb-server.js';
import { eventually } from '../../../support/eventually.js';
import { freePort, programPath } from '../../../support/processes/local-program.js';
import { startProxy } from '../../../support/site/proxy.js';
import { Replica } from './replica.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Where the clients connect to, and the database behind it. */
export interface Door {
  readonly port: number;
  readonly database: string;
  readonly replicas: Replica[];
  readonly isProxied?: true;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

async function onSqlite(environment: Environment): Promise<Door> {
  const database = new SqliteDatabase();
  const replica = await Replica.start(database.url, environment);
  const close = async () => {
    await replica.discard();
    database.remove();
  };
  return { port: replica.port, database: database.url, replicas: [replica], close };
}

async function onMariaDb(environment: Environment, count = 1, start = Replica.start): Promise<Door> {
  const server = await MariaDbServer.start();
  await server.query('CREATE DATABASE petstore');
  const database = server.url('petstore');
  const replicas: Replica[] = [];
  while (replicas.length < count) replicas.push(await start(database, environment));
  const close = async () => {
    for (const replica of replicas) await replica.discard();
    await server.stop();
  };
  return { port: replicas[0]!.port, database, replicas, close };
}

/** Through the proxy that is shipped. */
async function throughHaproxy(environment: Environment, start = Replica.start): Promise<Door> {
  const inside = await onMariaDb({ TRUST_PROXY: '1', ...environment }, 2, start);
  const port = await freePort();
  const [one, two] = inside.replicas.map((replica) => `127.0.0.1:${replica.port}`);
  const [LISTEN, METRICS] = [`127.0.0.1:${port}`, `127.0.0.1:${await freePort()}`];
  const proxy = startProxy({ LISTEN, METRICS, REPLICA_1: one!, REPLICA_2: two! });
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  const close = async () => {
    await proxy.stop('SIGKILL');
    await inside.close();
  };
  return { ...inside, port, isProxied: true, close };
}

/** `open` starts what is behind it, with settings. */
export const DOORS = {
  'SQLite, directly': { isThere: true, open: onSqlite },
  'MariaDB, directly': { isThere: MariaDbServer.isInstalled(), open: onMariaDb },
  'two replicas behind HAProxy': {
    isThere: MariaDbServer.isInstalled() && programPath('haproxy') !== undefined,
    open: throughHaproxy,
  },
};
