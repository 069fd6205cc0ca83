import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startHanging } from '../../support/built-service.js';
import { Caller, SECRET } from '../support/load/caller.js';
import { Flood } from '../support/load/flood.js';
import { HANG, IDLE, LARGE, RawSocket, UNFINISHED } from '../support/load/raw-sockets.js';
import { Traffic } from '../support/load/traffic.js';
import { note } from '../support/note.js';
import { type Door, doorIsPossible, openDoor } from '../support/servers/door.js';
import { size } from '../support/size.js';

const MANY = 300;
/** In ms: longer than the time limit of a request. */
const MEASURE = size(7_000, 30_000);
const RATE = 50;

/** In ms: PAUSE is the time between the connections of two strangers, and AGAIN the time until a closed one connects again. */
const PAUSE = 10;
const AGAIN = 1_000;

interface Strangers {
  readonly count: number;
  readonly text: string;
  readonly reads?: boolean;
}

/** What strangers do. Each kind has its own address. */
const STRANGERS: Readonly<Record<string, readonly Strangers[]>> = {
  'that send requests and do not read the responses': [{ count: MANY, text: LARGE.repeat(60), reads: false }],
  'that send half of their headers, or half of a body with a valid key, or one request and then nothing': [
    { count: MANY, text: UNFINISHED['half of the headers'] },
    { count: MANY, text: UNFINISHED['half of a body'] },
    { count: MANY + 100, text: IDLE },
  ],
  'whose handlers never end': [{ count: 256, text: HANG }],
};

/** Keeps connections open, whatever the service does to them. @returns a function that ends them */
function keepOpen(port: number, from: string, { count, text, reads = true }: Strangers) {
  let isOver = false;
  const one = async (i: number) => {
    // The responses that fill the buffers of strangers are a load too. A real network limits this load, but a loopback does not.
    await sleep(i * PAUSE);
    while (!isOver) {
      const socket = await RawSocket.open(port, text, { from, reads }).catch(() => undefined);
      const pokes = setInterval(() => socket?.send(reads ? '' : LARGE), 250);
      while (!isOver && socket && (await Promise.race([socket.closed, sleep(50, true)])) === true);
      clearInterval(pokes);
      socket?.destroy();
      if (!isOver) await sleep(AGAIN);
    }
  };
  const all = Array.from({ length: count }, (_, i) => one(i));
  return async () => {
    isOver = true;
    await Promise.all(all);
  };
}

const request = `GET /v1/pets?limit=20 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`;

describe.skipIf(!doorIsPossible())(
  'others are served while strangers hold connections through HAProxy',
  () => {
    let door: Door;
    beforeAll(async () => void (door = await openDoor(startHanging)));
    afterAll(() => door.close());

    it.for(Object.entries(STRANGERS))('%s', async ([what, strangers], context) => {
      const { expect } = context;
      const ends = strangers.map((kind, i) => keepOpen(door.port, `127.0.0.${i + 2}`, kind));
      const client = new Flood(door.port, () => request);
      // All connections of this traffic are new.
      const traffic = Traffic.start([new Caller(`http://127.0.0.1:${door.port}`)], 4, 20);
      const kept = await client.open(RATE, MEASURE);
      await traffic.stop();
      await Promise.all(ends.map((end) => end()));
      client.close();

      const fresh = traffic.between(0, Number.POSITIVE_INFINITY);
      const share = (kept.count(200) + fresh.count(200) + fresh.count(201)) / (kept.total + fresh.total);
      note(context, {
        promise: 29,
        line: `connections ${what}: ${(share * 100).toFixed(1)} % of others served, on connections that are kept (${kept}, 99 % within ${kept.took(200, 0.99)} ms) and on new ones (${fresh}, 99 % within ${fresh.took(201, 0.99)} ms)`,
        kept: share === 1,
      });
      expect(share).toBeGreaterThanOrEqual(0.99);
      expect(door.replicas.flatMap(({ surprises }) => surprises)).toEqual([]);
    });
  },
);
