import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { admission as module } from '../support/rooms/http.js';
import { inAnyOrder } from './orders.js';

/** The longest time that a request may wait for its turn, in ms. */
const LONGEST_WAIT = 1_000;

/** Requests arrive, wait, leave and get their responses, while time passes. */
const plan = fc.record({
  places: fc.integer({ min: 1, max: 2 }),
  requests: fc.array(fc.constantFrom('stays', 'stays', 'leaves'), { minLength: 1, maxLength: 24 }),
  waits: fc.array(fc.integer({ min: 20, max: 800 }), { maxLength: 6 }),
});

inAnyOrder('requests begin in the order of their arrival, or are rejected in time', {
  module,
  plan,
  async story({ Admission }, { places, requests, waits }, order) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let time = 0;
    const admission = new Admission(places);
    const begun: number[] = [];
    const left = new Set<number>();
    let atWork = 0;
    const wrong: string[] = [];

    const arrive = (number: number) => {
      const cameAt = time;
      const [here] = duplexPair();
      const request = new IncomingMessage(here as Socket);
      request.url = '/pets';
      const response = new ServerResponse(request);
      response.assignSocket(request.socket);
      admission.enter(response, () => {
        if (left.has(number)) wrong.push(`${number} has left and gets its turn`);
        if (time - cameAt >= LONGEST_WAIT) wrong.push(`${number} waits ${time - cameAt} ms`);
        if (begun.some((one) => one > number)) wrong.push(`${number} is passed by others`);
        if (atWork === places) wrong.push(`${number} begins, but all places are taken`);
        begun.push(number);
        atWork += 1;
        void order.event(`${number} is answered`).then(() => {
          // Some handlers never end.
          if (left.has(number)) return;
          atWork -= 1;
          response.end();
        });
      });
      if (requests[number] === 'leaves') {
        void order.event(`${number} leaves`).then(() => {
          if (response.writableEnded) return;
          left.add(number);
          if (begun.includes(number)) atWork -= 1;
          request.socket.destroy();
          response.emit('close');
        });
      }
      return response;
    };

    const responses: ServerResponse[] = [];
    const come = async () => {
      for (const number of requests.keys()) {
        await order.event('a request');
        responses.push(arrive(number));
      }
    };
    void come();
    for (const wait of waits) {
      void order.event(`${wait} ms pass`).then(() => {
        time += wait;
        vi.advanceTimersByTime(wait);
      });
    }
    try {
      await order.play();
    } finally {
      vi.useRealTimers();
    }
    expect(wrong).toEqual([]);
    responses.forEach(({ statusCode }, number) => {
      if (!left.has(number) && !begun.includes(number)) expect([number, statusCode]).toEqual([number, 503]);
    });
    expect(admission.count).toBe(0);
  },
  faults: {
    'requests begin in the order of arrival': 'const mustWait = this.count >= this.most;',
    'a request waits for at most a second': 'const LONGEST_WAIT_MS = 1_500;',
    'a client that leaves frees its slot': '',
  },
});
