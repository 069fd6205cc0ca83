import { afterAll, beforeAll, describe, it } from 'vitest';
import { petstore } from '../../support/petstore.js';
import { SECRET } from '../support/load/caller.js';
import { Flood } from '../support/load/flood.js';
import { Guessers } from '../support/load/guessers.js';
import { note } from '../support/note.js';
import { type Door, doorIsPossible, openDoor } from '../support/servers/door.js';
import { size } from '../support/size.js';
import type { Tally } from '../support/load/tally.js';

/** Requests per second of the client that has a valid key. */
const RATE = 100;
/** In ms. */
const MEASURE = size(3_000, 20_000);
const GUESSES = 240;
/** How many invalid keys of one source the proxy passes on in 10 s (deploy/compose/haproxy.cfg). */
const PASSED_ON = 100;

/** The number of connections on which guesses are pipelined; undefined means a connection for each guess. */
const ATTACKS = [
  { attack: `${GUESSES} guesses a second, pipelined on 8 connections`, connections: 8 },
  { attack: `${GUESSES} connections a second that wait for no answer`, connections: undefined },
];

const request = (key: string) =>
  `GET /v1/pets?limit=20 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;

describe.skipIf(!doorIsPossible())('while keys are guessed through HAProxy, others are served:', () => {
  let door: Door;
  let client: Flood;
  let quiet: Tally;
  beforeAll(async () => {
    door = await openDoor();
    client = new Flood(door.port, () => request(SECRET));
    await client.open(RATE, 1_000);
    quiet = await client.open(RATE, MEASURE);
  });
  afterAll(async () => {
    client.close();
    await door.close();
  });

  it.for(ATTACKS)('$attack', async ({ attack, connections }, context) => {
    const { expect } = context;
    const issued = await petstore(['keys', 'issue', '--name', 'new', '--json'], {
      DATABASE_URL: door.database,
    });
    const { secret } = JSON.parse(issued.stdout) as { secret: string };
    const newcomers = new Flood(door.port, () => request(secret));
    const begun = performance.now();
    const guessers = new Guessers(door.port, GUESSES, connections);
    const newcomer = await newcomers.closed(1, 1);
    const attacked = await client.open(RATE, MEASURE);
    const seconds = (performance.now() - begun) / 1_000;
    guessers.end();
    newcomers.close();

    const share = attacked.count(200) / attacked.total;
    const [was, is] = [quiet.took(200, 0.99), attacked.took(200, 0.99)];
    note(context, {
      promise: 28,
      line: `${attack}: ${(share * 100).toFixed(1)} % of ${attacked.total} good requests served (${attacked}), 99 % within ${is} ms, ${was} ms before; a new key after ${newcomer.took(200, 1)} ms; ${guessers.judged} of ${guessers.answered} answered guesses looked at in ${Math.round(seconds)} s`,
      kept: share >= 0.99 && newcomer.took(200, 1) < 1_000 && is <= Math.max(2 * was, 20),
    });
    expect(share).toBeGreaterThanOrEqual(0.99);
    expect(newcomer.count(200)).toBeGreaterThan(0);
    // The allowance is for responses on their way when the limit is reached, and for the inexact window of the proxy.
    expect(guessers.judged).toBeLessThanOrEqual(PASSED_ON * (seconds / 10 + 2));
    expect(door.replicas.flatMap(({ surprises }) => surprises)).toEqual([]);
  });
});
