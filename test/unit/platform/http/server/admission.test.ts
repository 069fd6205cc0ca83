import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admission as module } from '../../../../support/rooms/http.js';

type Answer = ServerResponse;

/** How many requests may be in flight, and how many may wait in line. */
const MOST = 4;
const IN_LINE = 32;

let admission: module.Admission;
let warnings: string[];
/** The requests that began, in this order. */
let begun: Answer[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  begun = [];
  warnings = [];
  const warn = (message: unknown) => void warnings.push(String(message));
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn });
  admission = new module.Admission(MOST);
});
// Requests that begin in the last turn belong to this test.
afterEach(() => turn().then(() => void vi.useRealTimers()));

/** A request that arrives now. */
function arrive(url = '/pets', work = (response: Answer) => void begun.push(response)): Answer {
  const [here] = duplexPair();
  const request = new IncomingMessage(here as Socket);
  request.url = url;
  const response = new ServerResponse(request);
  // Node does this for the first response of a connection.
  response.assignSocket(request.socket);
  admission.enter(response, () => work(response));
  return response;
}
const arriveTimes = (count: number) => Array.from({ length: count }, () => arrive());
const refused = (responses: Answer[]) => responses.filter(({ statusCode }) => statusCode === 503);
/** Ends the requests in flight until no more begin. @returns all requests in the order in which they began */
async function workOff(): Promise<Answer[]> {
  for (let i = 0; i < begun.length; i++) {
    begun[i]!.end();
    await turn();
  }
  return begun;
}

// Clients that leave, and the order of the others: test/interleavings/admission.test.ts.
describe('a request', () => {
  it('begins at once while slots are free, and releases its slot once, at its end', () => {
    const responses = arriveTimes(MOST + 1);
    expect(begun).toEqual(responses.slice(0, MOST));
    expect(admission.count).toBe(MOST);
    responses[0]!.end('done');
    responses[0]!.end();
    responses[0]!.emit('close');
    expect(admission.count).toBe(MOST - 1);
  });

  it('begins in its own async context, and not in that of the request that released the slot', async () => {
    const names = new AsyncLocalStorage<string>();
    const first = names.run('first', () => arriveTimes(MOST))[0]!;
    const seen: (string | undefined)[] = [];
    names.run('second', () => arrive('/pets', () => void seen.push(names.getStore())));
    names.run('first', () => first.end());
    await turn();
    expect(seen).toEqual(['second']);
  });

  it('is rejected when the line is full', async () => {
    const responses = arriveTimes(MOST + IN_LINE + 1);
    expect(refused(responses)).toEqual(responses.slice(-1));
    expect(warnings).toEqual([`overloaded: refused 1, with ${MOST} in flight`]);
    expect(await workOff()).toEqual(responses.slice(0, -1));
  });

  it('waits for a second, and is then rejected', async () => {
    const early = arriveTimes(MOST + 2);
    vi.advanceTimersByTime(500);
    const late = arrive();
    vi.advanceTimersByTime(499);
    expect(refused([...early, late])).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(refused([...early, late])).toEqual(early.slice(MOST));
    expect(await workOff()).toEqual([...early.slice(0, MOST), late]);
  });

  it.each(['/livez', '/readyz', '/readyz?verbose'])('to %s always begins, and takes no slot', (url) => {
    arriveTimes(100);
    const probe = arrive(url);
    expect(begun.at(-1)).toBe(probe);
    expect(admission.count).toBe(MOST);
    probe.end();
    expect(admission.count).toBe(MOST);
  });

  it.each(['/', '/livezz', '/livez/', '/v1/livez', '/pets?/livez'])(
    'to %s waits like other requests',
    (url) => {
      arriveTimes(100);
      expect(arrive(url).statusCode).toBe(503);
    },
  );
});
