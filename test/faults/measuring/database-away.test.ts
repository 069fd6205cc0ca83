import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { Traffic } from '../support/load/traffic.js';

const CLIENTS = 8;
const PAUSE = 10;
/** In ms: long enough for the pauses between retries to exceed the 1 s within which the service must work again. */
const AWAY = size(2_000, 10_000);

interface Fault {
  readonly what: string;
  /** When it resolves, the database is unavailable. */
  begin(server: MariaDbServer): Promise<void>;
  /** When it resolves, the database is available again. */
  end(server: MariaDbServer): Promise<void>;
  /** Whether writes may succeed during the fault. */
  readonly passes?: boolean;
}

/** The connection limit of the crowded server. */
const MOST = 20;
const others: Connection[] = [];

const connectAs = (user: string, port: number) => createConnection({ host: '127.0.0.1', port, user });

/** Opens connections as another user until the server refuses more. */
async function crowd(port: number): Promise<void> {
  for (;;) {
    const connection = await connectAs('crowd', port).catch(() => undefined);
    if (!connection) return;
    others.push(connection);
  }
}

const FAULTS: Fault[] = [
  { what: 'killed', begin: (server) => server.kill(), end: (server) => server.launch() },
  { what: 'stopped', begin: (server) => server.kill('SIGTERM'), end: (server) => server.launch() },
  {
    what: 'cutting every connection, again and again',
    passes: true,
    async begin(server) {
      for (let i = 0; i < 20; i++) {
        await server.query('KILL CONNECTION USER app');
        await sleep(50);
      }
    },
    end: () => Promise.resolve(),
  },
  {
    what: 'read-only',
    begin: async (server) => void (await server.query('SET GLOBAL read_only = 1')),
    end: async (server) => void (await server.query('SET GLOBAL read_only = 0')),
  },
  {
    what: 'full of the connections of others',
    async begin(server) {
      // Connects before the limit is set: a client being refused may hold the one connection reserved for administrators.
      const admin = await connectAs('root', server.port);
      others.push(admin);
      await admin.query(`SET GLOBAL max_connections = ${MOST}`);
      // A client being refused holds a connection too, which the service would get afterwards.
      while (others.length < MOST) {
        await admin.query('KILL CONNECTION USER app');
        await crowd(server.port);
      }
    },
    async end() {
      await Promise.all(others.splice(0).map((connection) => connection.end()));
    },
  },
];

describe.skipIf(!MariaDbServer.isInstalled())('while the database is', () => {
  let server: MariaDbServer;
  let replica: Replica;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    // An ordinary user: an administrator may write to a read-only server, and can connect when no other user can.
    await server.query(
      'CREATE DATABASE petstore',
      'CREATE USER app, crowd',
      'GRANT ALL ON petstore.* TO app',
    );
    replica = await Replica.start(server.url('petstore', 'app'));
  });
  afterAll(async () => {
    await replica.discard();
    await server.stop();
  });

  it.for(FAULTS)(
    '$what, everybody is told to come back, and it works at once when that is over',
    async (fault, context) => {
      const { what, begin, end, passes = false } = fault;
      const { pid } = replica;
      const traffic = Traffic.start([replica.caller], CLIENTS, PAUSE);
      await traffic.nextWrite(performance.now());
      const from = performance.now();
      await begin(server);
      const away = performance.now();
      if (!passes) await sleep(AWAY);
      const readiness = (await replica.caller.get('/readyz')).status;
      const alive = (await replica.caller.get('/livez')).status;
      const until = performance.now();
      await end(server);
      const back = await traffic.nextWrite(performance.now());
      await traffic.stop();

      const all = traffic.between(from, until);
      // A request sent just before the fault ends is retried, may succeed once the database is back, and is not counted.
      const accepted = passes ? 0 : traffic.acknowledged(away, until);
      const p99 = all.took(503, 0.99);
      note(context, {
        promise: 7,
        line: `${what}: ${all}; ${accepted} writes accepted meanwhile, 99 % of the 503 within ${p99} ms, /readyz ${readiness}; first write ${back} ms after its return`,
        kept: all.surprises.length + accepted + replica.surprises.length === 0 && p99 <= 100 && back <= 1_000,
      });
      expect([all.surprises, accepted, alive]).toEqual([[], 0, 200]);
      expect(all.count(503) > 0 || passes).toBe(true);
      expect(back).toBeLessThan(10_000);
      expect([replica.pid, replica.isRunning, replica.surprises]).toEqual([pid, true, []]);
    },
  );
});
