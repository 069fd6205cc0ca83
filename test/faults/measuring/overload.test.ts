import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEARABLE, shareOfOthers } from '../../bench/servers/machine.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { Caller, SECRET } from '../support/load/caller.js';
import { cores, pin } from '../support/servers/cores.js';
import { Flood } from '../support/load/flood.js';
import { note } from '../support/note.js';
import { HaProxy } from '../support/servers/haproxy.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { Tally } from '../support/load/tally.js';

const CLIENTS = 64;
/** In ms: some 9,000 requests, so that the peak varies by chance by about 1 %. */
const MEASURE = size(3_000, 20_000);
/** In ms: as long as a request may take, so that an admitted request without a response would show. */
const FLOOD = size(5_000, 60_000);
/** In ms: until then the line fills. */
const BURST = 4_000;
const AFTERWARDS = 1_000;
/** In percent of the peak: the least of five runs on a quiet machine, rounded down to 5 %. */
const PROMISED_SHARE = 45;
/** In ms: the Retry-After of a rejection. A client that respects it is served in the end. */
const RETRY_AFTER = 1_000;
const MOST_TRIES = 10;
const TIMES = 4;
const MAX_LINES = 4_000;
/** The limits of the proxy for one source, because all clients have one address. */
const LIMITS = { MAX_CONNECTIONS_PER_SOURCE: '100000', MAX_REQUESTS_PER_SOURCE: '1000000' };
/** In ms: until then V8 is still compiling, and the measured peak would be too low. */
const WARM_UP = 10_000;

let requests = 0;
/** The most expensive request: it has its own transaction. This process could not send four times the peak of a cheaper one. */
function request(): string {
  requests += 1;
  const body = `{"name":"Pet ${requests}","categoryId":7}`;
  return (
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${SECRET}\r\nIdempotency-Key: key-${requests}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Retries after Retry-After until no request is rejected, at most MOST_TRIES times. */
async function settled(ask: () => Promise<Tally>): Promise<Tally> {
  for (let tries = 1; ; tries++) {
    await sleep(RETRY_AFTER);
    const tally = await ask();
    if (tries === MOST_TRIES || tally.count(201) === tally.total) return tally;
  }
}

describe.skipIf(!MariaDbServer.isInstalled() || !HaProxy.isInstalled())(
  'four times as many requests as the service can serve',
  () => {
    let server: MariaDbServer;
    let replica: Replica;
    let proxy: HaProxy;
    const all = cores();
    /** The service and its database share one core; the load has another, so that it takes no CPU time from what it measures. */
    const isApart = all.length > 1;
    beforeAll(async () => {
      server = await MariaDbServer.start();
      await server.query('CREATE DATABASE petstore');
      replica = await Replica.start(server.url('petstore'));
      // The log of HAProxy would use more of a core than HAProxy itself.
      proxy = await HaProxy.start([replica.port], (text) => text.replace('  log global\n', ''), LIMITS);
      if (!isApart) return;
      for (const pid of [server.pid, replica.pid]) pin(pid, all[0]!);
      for (const pid of [proxy.pid, process.pid]) pin(pid, all[1]!);
    });
    afterAll(async () => {
      if (isApart) pin(process.pid, ...all);
      await proxy.stop();
      await replica.discard();
      await server.stop();
    });

    it('are rejected in time while the others are served, and have no effect afterwards', async (context) => {
      const flood = new Flood(proxy.port, request, MAX_LINES);
      await flood.closed(CLIENTS, WARM_UP);
      const alive = new Tally();
      // What other programs take from the peak is not what they take from the flood.
      const { result, share: others } = await shareOfOthers(async () => {
        const peak = (await flood.closed(CLIENTS, MEASURE)).count(201) / (MEASURE / 1_000);
        // Libuv accepts one new connection per event loop iteration, so the connections are opened before the flood.
        await flood.connect();
        // Monitoring queries a replica directly, as the checks of the proxy do.
        const probe = new Caller(`http://127.0.0.1:${replica.port}`);
        let flooding = true;
        const watch = (async () => {
          for (; flooding; await sleep(50)) await alive.of(probe.get('/livez'));
        })();
        const burst = flood.open(TIMES * peak, BURST);
        await sleep(BURST);
        const begin = performance.now();
        const tally = await flood.open(TIMES * peak, FLOOD);
        const seconds = (performance.now() - begin) / 1_000;
        flooding = false;
        await watch;
        probe.close();
        return { peak, burst: await burst, tally, seconds };
      });
      const { peak, burst, tally, seconds } = result;
      const normal = await settled(() => flood.closed(CLIENTS, AFTERWARDS));
      flood.close();

      const [goodput, sent] = [tally.count(201) / seconds, tally.total / (FLOOD / 1_000)];
      const share = Math.round((goodput / peak) * 100);
      const [served, refused] = [tally.took(201, 0.99), tally.took(503, 0.99)];
      const surprises = [
        ...burst.surprises,
        ...tally.surprises,
        ...alive.surprises,
        ...normal.surprises,
        ...replica.surprises,
      ];
      const isFast = share >= PROMISED_SHARE && refused <= 1_250;
      // Other programs may slow the service down, but a wrong response is its own fault.
      const speed = isFast || others <= BEARABLE ? isFast : 'busy';
      note(context, {
        promise: 11,
        line: `peak ${Math.round(peak)}/s; at ${Math.round(sent)}/s (${(sent / peak).toFixed(1)} times): once that is no burst, goodput ${share} % of the peak, 99 % of the 201 within ${served} ms, of the 503 within ${refused} ms (${tally}); slowest /livez ${alive.took(200, 1)} ms; ${flood.unsent} could not be sent, ${flood.sentAgain} were sent again; afterwards ${Math.round(normal.count(201) / (AFTERWARDS / 1_000))}/s. ${isApart ? 'Service and database on one core, proxy and load on another' : 'All on the same cores'}; other programs used ${Math.round(others * 100)} % of a core.`,
        kept: surprises.length === 0 && speed,
      });
      expect(surprises).toEqual([]);
      expect(alive.count(200)).toBe(alive.total);
      expect(normal.count(201)).toBe(normal.total);
    });
  },
);
