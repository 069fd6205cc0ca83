import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import express from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import type { PreemptibleResponse } from '../../../../../src/platform/http/server/preemptible-response.js';

const { IncomingMessage: Message, ServerResponse: Response } = expressMessages(express());

/** How many may be at work, and how many in line behind them. */
const MOST = 4;
const IN_LINE = 32;

let time: number;
let inFlight: InFlight;
let warnings: string[];
/** The requests that began, in this order. */
let begun: PreemptibleResponse[];

beforeEach(() => {
  time = 0;
  begun = [];
  warnings = [];
  const warn = (message: unknown) => void warnings.push(String(message));
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn });
  inFlight = new InFlight(MOST, 5_000, () => time);
});

/** A request that arrives now. */
function arrive(url = '/pets'): PreemptibleResponse {
  const request = new Message(new Socket());
  request.url = url;
  const response = new Response(request);
  inFlight.enter(response, (one) => void begun.push(one));
  return response;
}
const arriveTimes = (count: number) => Array.from({ length: count }, () => arrive());
const rejected = (responses: PreemptibleResponse[]) =>
  responses.filter(({ statusCode }) => statusCode === 503);
const waiting = (atLeast?: number) => inFlight.waiting(atLeast).map(({ response }) => response);
const wait = (milliseconds: number) => {
  time += milliseconds;
  inFlight.check();
};
/** Answers those at work until no more begin. @returns all in the order in which they began */
async function workOff(): Promise<PreemptibleResponse[]> {
  for (let i = 0; i < begun.length; i++) {
    begun[i]!.end();
    await turn();
  }
  return begun;
}

describe('the requests in flight', () => {
  it('are counted until their answer is given, once each', () => {
    const [first, second] = [arrive(), arrive()];
    expect(inFlight.count).toBe(2);
    second.end('done');
    second.end();
    expect(inFlight.count).toBe(1);
    first.end();
    expect(inFlight.count).toBe(0);
  });

  it('are not counted as long as their body is on its way, but looked at', () => {
    const response = arrive();
    response.req.resume();
    wait(100);
    expect([inFlight.count, waiting()]).toEqual([0, [response]]);
    response.req.complete = true;
    wait(100);
    expect(inFlight.count).toBe(1);
    response.end();
    expect([inFlight.count, waiting()]).toEqual([0, []]);
  });

  it('leave their place to the next one while their body is on its way', async () => {
    const responses = arriveTimes(MOST + 1);
    responses[0]!.req.resume();
    wait(100);
    await turn();
    expect(begun).toEqual(responses);
  });

  it('are told in the order in which they came, and only those that have waited long enough', () => {
    const first = arrive();
    time += 50;
    const second = arrive();
    time += 50;
    arrive();
    expect(waiting(101)).toEqual([]);
    expect(waiting(100)).toEqual([first]);
    expect(waiting(50)).toEqual([first, second]);
    expect(waiting()).toHaveLength(3);
  });

  it('are told in order, whoever was answered meanwhile', () => {
    const [first, second, third] = [arrive(), arrive(), arrive()];
    second.end();
    const fourth = arrive();
    expect(waiting()).toEqual([first, third, fourth]);
    first.end();
    fourth.end();
    expect([inFlight.count, waiting()]).toEqual([1, [third]]);
    third.end();
    const fifth = arrive();
    expect(waiting()).toEqual([fifth]);
  });

  it('may be answered while somebody looks at them', () => {
    const all = arriveTimes(3);
    for (const { response } of inFlight.waiting()) response.end();
    expect(begun).toEqual(all);
    expect(inFlight.count).toBe(0);
  });
});

describe('a request', () => {
  it('is at work at once as long as there are places', () => {
    const responses = arriveTimes(MOST + 1);
    expect(begun).toEqual(responses.slice(0, MOST));
    expect(inFlight.count).toBe(MOST);
  });

  it('waits in line for its turn otherwise, in the order of arrival', async () => {
    const responses = arriveTimes(20);
    expect(await workOff()).toEqual(responses);
    expect([inFlight.count, rejected(responses)]).toEqual([0, []]);
  });

  it('does not overtake those in line', async () => {
    const responses = arriveTimes(MOST + 2);
    responses[0]!.end();
    responses.push(arrive());
    await turn();
    expect(await workOff()).toEqual(responses);
  });

  it('is rejected when the line is full', async () => {
    const responses = arriveTimes(MOST + IN_LINE + 1);
    expect(rejected(responses)).toEqual(responses.slice(-1));
    expect(warnings).toEqual([`overloaded: refused 1, with ${MOST} in flight`]);
    expect(await workOff()).toEqual(responses.slice(0, -1));
  });

  it('that was answered or given up while it waited does not begin', async () => {
    const responses = arriveTimes(7);
    responses[4]!.end();
    responses[5]!.req.socket.destroy();
    expect(await workOff()).toEqual([...responses.slice(0, 4), responses[6]]);
    expect(waiting()).toEqual([]);
  });

  it('of a burst waits for half of its time, then it is rejected', async () => {
    const responses = arriveTimes(MOST + 2);
    wait(2_499);
    expect(rejected(responses)).toEqual([]);
    wait(1);
    expect(rejected(responses)).toEqual(responses.slice(MOST));
    expect(await workOff()).toEqual(responses.slice(0, MOST));
  });

  it.each(['/livez', '/readyz', '/readyz?verbose'])('to %s begins always, and takes no place', (url) => {
    arriveTimes(100);
    const probe = arrive(url);
    expect(begun.at(-1)).toBe(probe);
    expect(inFlight.count).toBe(MOST);
    probe.end();
    expect(inFlight.count).toBe(MOST);
  });

  it.each(['/', '/livezz', '/livez/', '/v1/livez', '/pets?/livez'])('to %s does not', (url) => {
    arriveTimes(100);
    expect(arrive(url).statusCode).toBe(503);
  });
});

describe('overload', () => {
  /** The line has not been empty for more than a quarter of the time of a request, because more come than are answered. */
  async function overload() {
    for (let i = 0; i <= 13; i++) {
      arriveTimes(MOST);
      time += 100;
      begun.shift()?.end();
      await turn();
    }
  }

  it('lets those who arrive wait only briefly', async () => {
    await overload();
    const late = arrive();
    wait(49);
    expect(rejected([late])).toEqual([]);
    wait(1);
    expect(rejected([late])).toEqual([late]);
  });

  it('does not reject those before them sooner', async () => {
    arriveTimes(MOST);
    const early = arrive();
    await overload();
    arrive();
    wait(50);
    expect(rejected([early])).toEqual([]);
  });

  it('goes on when the line was empty for a moment, as after a batch', async () => {
    arriveTimes(MOST + IN_LINE + 1);
    await workOff();
    time += 1_249;
    const [late] = arriveTimes(MOST + 1).slice(MOST);
    wait(50);
    expect(rejected([late!])).toEqual([late]);
  });

  it('is over when the line was empty, and nobody rejected for a while', async () => {
    await overload();
    await workOff();
    time += 1_250;
    const [patient] = arriveTimes(MOST + 1).slice(MOST);
    wait(1_000);
    expect(rejected([patient!])).toEqual([]);
  });
});
