import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { eventually } from '../support/eventually.js';
import { note } from './support/note.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { size } from './support/size.js';
import { type Point, secondHalf, slopeOf } from './support/slope.js';
import { SECRET } from './support/load/caller.js';
import { Traffic } from './support/load/traffic.js';

/** In ms: each kind of fault once, and an end without faults. Only the long run shows a slow leak. */
const LASTS = size(20_000, 60 * 60_000);
const FAULT_EVERY = size(4_000, 60_000);
/** In ms, between the requests of a client. */
const PAUSE = 5;
/** How many requests a replica serves before its memory is measured. The heap grows until all code is compiled. */
const WARMING = 3_000;
/** In ms: the pauses between two samples, each of which collects the garbage, and between two requests on the connection that stays. */
const SAMPLE_EVERY = size(500, 10_000);
const STAYING_EVERY = size(100, 1_000);
const CLIENTS = 6;
/**
 * In bytes: by how much the memory may grow with each request of the second half, besides the bytes by which it varies. A request that
 * is never released has thousands.
 */
const MAX_GROWTH = 20;
const VARIATION = 4_000_000;
const POOL = 10;

type Fault = (server: MariaDbServer) => Promise<unknown>;
const FAULTS: Fault[] = [
  async (server) => {
    await server.kill();
    await sleep(1_000);
    await server.launch();
  },
  async (server) => {
    server.freeze();
    await sleep(2_000);
    server.thaw();
  },
  (server) => server.query('KILL CONNECTION USER app'),
  async (server) => {
    await server.query('SET GLOBAL read_only = 1');
    await sleep(1_000);
    await server.query('SET GLOBAL read_only = 0');
  },
];

/** A client that sends all its requests on one connection. */
class OneConnection {
  /** The local ports of its connections. */
  readonly ports = new Set<number | undefined>();
  readonly failures: string[] = [];
  requests = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly origin: string) {}

  async send(): Promise<void> {
    this.requests += 1;
    const headers = { Authorization: `Bearer ${SECRET}` };
    const sent = request(`${this.origin}/v1/pets?limit=5`, { agent: this.#agent, headers });
    sent.on('socket', ({ localPort }) => void this.ports.add(localPort));
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    this.ports.add(response.socket.localPort);
    await response.toArray();
    // While the database is away, 503 is right.
    if (response.statusCode !== 200 && response.statusCode !== 503)
      this.failures.push(String(response.statusCode));
  }

  close(): void {
    this.#agent.destroy();
  }
}

describe.skipIf(!MariaDbServer.isInstalled())('a service that runs for long under faults', () => {
  let server: MariaDbServer;
  let replicas: Replica[];
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore', 'CREATE USER app', 'GRANT ALL ON petstore.* TO app');
    const script = resolve(import.meta.dirname, 'support/servers/collect-garbage.mjs');
    const environment = { DB_POOL_SIZE: String(POOL), NODE_OPTIONS: `--import=${script}` };
    replicas = await startReplicas(2, () => server.url('petstore', 'app'), environment);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
    await server.stop();
  });

  it('does not grow in memory, files and connections', async (context) => {
    const callers = replicas.map(({ caller }) => caller);
    for (const warming of callers.map((caller) => Traffic.start([caller], CLIENTS, 0))) {
      await eventually(async () => warming.total >= WARMING);
      await warming.stop();
    }
    const traffic = callers.map((caller) => Traffic.start([caller], CLIENTS, PAUSE));
    const used: Point[][] = replicas.map(() => []);
    const files: Point[] = [];
    const surprises: string[] = [];
    const one = new OneConnection(replicas[0]!.origin);
    let most = 0;
    const begin = performance.now();
    const elapsed = () => performance.now() - begin;
    const sampling = (async () => {
      for (; elapsed() < LASTS; await sleep(SAMPLE_EVERY)) {
        const held = await server
          .query("SELECT COUNT(*) AS held FROM information_schema.processlist WHERE user = 'app'")
          .catch(() => []);
        most = Math.max(most, Number(held[0]?.['held'] ?? 0));
        files.push({ x: elapsed(), y: Math.max(...replicas.map(({ openFiles }) => openFiles)) });
        for (const [i, replica] of replicas.entries()) {
          used[i]!.push({ x: traffic[i]!.total, y: await replica.usedMemory() });
          surprises.push(...replica.forget());
        }
      }
    })();
    const staying = (async () => {
      for (; elapsed() < LASTS; await sleep(STAYING_EVERY)) await one.send();
    })();
    let faults = 0;
    const breaking = (async () => {
      // The last part has no faults, so that what they held is released.
      while (elapsed() < LASTS - FAULT_EVERY) {
        await sleep(FAULT_EVERY - 3_000);
        await FAULTS[faults++ % FAULTS.length]!(server);
        await Promise.all(traffic.map((each) => each.nextWrite(performance.now())));
      }
    })();
    await Promise.all([sampling, staying, breaking]);
    await Promise.all(traffic.map((each) => each.stop()));
    one.close();

    const grown = used.map(secondHalf).map((points) => {
      const requests = points.at(-1)!.x - points[0]!.x;
      return { perRequest: slopeOf(points), allowed: MAX_GROWTH + VARIATION / requests };
    });
    const memory = grown.map(
      ({ perRequest, allowed }) => `${perRequest.toFixed(1)} bytes a request (at most ${allowed.toFixed(1)})`,
    );
    const leaks = grown.filter(({ perRequest, allowed }) => !(perRequest <= allowed));
    const last = files.at(-1)!.y;
    const halfway = secondHalf(files)[0]!.y;
    const all = traffic.map(({ tally }) => tally);
    const total = all.reduce((sum, tally) => sum + tally.total, 0);
    surprises.push(
      ...all.flatMap((tally) => tally.surprises),
      ...replicas.flatMap((replica) => replica.surprises),
      ...one.failures,
    );
    note(context, {
      promise: 22,
      line: `${Math.round(LASTS / 1_000)} s, ${faults} faults, ${total} requests (${all.join('; ')}): memory ${memory.join(' and ')}, files ${halfway} to ${last}, at most ${most} connections of ${POOL * replicas.length}; ${one.requests} requests on one connection`,
      kept:
        surprises.length === 0 &&
        most <= POOL * replicas.length &&
        one.ports.size === 1 &&
        leaks.length === 0 &&
        last < halfway + 50,
    });
    expect(surprises).toEqual([]);
    expect(most).toBeLessThanOrEqual(POOL * replicas.length);
    expect(one.ports.size).toBe(1);
    expect(last).toBeLessThan(halfway + 50);
    expect(leaks).toEqual([]);
  });
});
