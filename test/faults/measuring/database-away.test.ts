import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { eventually } from '../../support/eventually.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { Tally } from '../support/load/tally.js';
import { Traffic } from '../support/load/traffic.js';

const CLIENTS = 8;
const PAUSE = 10;
/** In ms: long enough for the pauses between retries to exceed the 1 s within which the service must work again. */
const AWAY = size(2_000, 10_000);
/** In ms: the longest wait for a statement and the time limit of a unit of work. */
const DEADLINE = 5_000;
const FROZEN = size(5_000, 60_000);
/** In ms: by then a service that found no database at its start retries at most every two seconds, so it may notice it late. */
const ABSENT = 4_000;

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

/** Opens connections as another user until the server rejects more. */
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
      // Connects before the limit is set: a rejected client may hold the one connection for administrators.
      const admin = await connectAs('root', server.port);
      others.push(admin);
      await admin.query(`SET GLOBAL max_connections = ${MOST}`);
      // A rejected client holds a connection too, which the service would get afterwards.
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

describe.skipIf(!MariaDbServer.isInstalled())('while the database is', { shuffle: false }, () => {
  let server: MariaDbServer;
  let replica: Replica;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    // An ordinary user: an administrator may write to a read-only server, and can connect when no other user can.
    await server.query(
      'CREATE DATABASE petstore',
      'CREATE DATABASE petstore_1',
      'CREATE DATABASE petstore_2',
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
    '$what, requests get 503 with Retry-After, and succeed as soon as the fault ends',
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
      const accepted = passes ? 0 : traffic.acceptedBetween(away, until);
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

  it('frozen, requests end within the time limits of statements, and succeed as soon as it responds', async (context) => {
    const clients = 40;
    const traffic = Traffic.start([replica.caller], clients, 20);
    await traffic.nextWrite(performance.now());
    server.freeze();
    const from = performance.now();
    const alive = new Tally();
    const refused = () => traffic.between(from - 100, Number.POSITIVE_INFINITY).count(503);
    while (performance.now() - from < FROZEN || refused() <= clients) {
      expect(performance.now() - from, 'ms without enough refusals').toBeLessThan(FROZEN + 60_000);
      await alive.of(replica.caller.get('/livez'));
      await sleep(100);
    }
    const until = performance.now();
    server.thaw();
    const back = await traffic.nextWrite(until);
    await traffic.stop();
    const all = traffic.between(from - 100, until);
    const slowest = all.took(503, 1);
    note(context, {
      promise: 8,
      line: `frozen for ${FROZEN} ms: ${all}; slowest 503 after ${slowest} ms, slowest /livez ${alive.took(200, 1)} ms; first write ${back} ms after it went on`,
      kept: all.surprises.length === 0 && slowest <= DEADLINE + 250,
    });
    expect([all.surprises, alive.surprises, replica.surprises]).toEqual([[], [], []]);
    expect(slowest).toBeLessThan(DEADLINE + 3_000);
    expect(back).toBeLessThan(10_000);
  });

  it('absent at the start of a service, the service is alive but not ready, and becomes ready soon afterwards', async (context) => {
    await server.kill();
    // Each service has its own database, so that none waits for the migrations of another.
    const urls = ['petstore_1', 'petstore_2'].map((database) => server.url(database));
    const services = await Promise.all(urls.map((url) => Replica.launch(url)));
    await sleep(ABSENT);
    for (const { caller } of services) {
      expect((await caller.get('/livez')).status).toBe(200);
      for (const path of ['/readyz', '/v1/pets']) {
        const { status, headers } = await caller.get(path);
        expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
      }
    }
    await server.launch();
    const came = performance.now();
    await Promise.all(
      services.map(({ caller }) => eventually(async () => (await caller.get('/readyz')).status === 200)),
    );
    const took = Math.round(performance.now() - came);
    note(context, {
      promise: 19,
      line: `${services.length} starts without a database: alive and not ready; ready ${took} ms after it came`,
      kept: took <= 2_000,
    });
    expect(services.flatMap(({ surprises }) => surprises)).toEqual([]);
    expect(took).toBeLessThan(10_000);
    await Promise.all(services.map((service) => service.discard()));
  });
});
