import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import express from 'express';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { expressMessages } from '../../src/platform/http/server/express-messages.js';
import * as module from '../../src/platform/http/server/in-flight.js';
import type { PreemptibleResponse } from '../../src/platform/http/server/preemptible-response.js';
import { inAnyOrder } from './orders.js';

beforeAll(() => Logger.overrideLogger(false));

const { IncomingMessage: Message, ServerResponse: Response } = expressMessages(express());

/** So long a request may wait for its turn without overload, in ms. */
const LONGEST_WAIT = 2_500;

/** Requests that come, wait, leave and are answered, while time passes. */
const plan = fc.record({
  places: fc.integer({ min: 1, max: 2 }),
  requests: fc.array(fc.constantFrom('stays', 'stays', 'leaves'), { minLength: 1, maxLength: 24 }),
  waits: fc.array(fc.integer({ min: 20, max: 2_000 }), { maxLength: 6 }),
});

inAnyOrder('each request gets its turn, in the order in which they came, or an answer in time', {
  file: 'src/platform/http/server/in-flight.ts',
  module,
  plan,
  async story({ InFlight }, { places, requests, waits }, order) {
    let time = 0;
    const inFlight = new InFlight(places, 2 * LONGEST_WAIT, () => time);
    const begun: number[] = [];
    const left = new Set<number>();
    let atWork = 0;
    const wrong: string[] = [];

    const arrive = (number: number) => {
      const cameAt = time;
      const request = new Message(new Socket()) as IncomingMessage;
      request.url = '/pets';
      const response = new Response(request as never) as unknown as PreemptibleResponse;
      inFlight.enter(response, () => {
        if (left.has(number)) wrong.push(`${number} has left and gets its turn`);
        if (time - cameAt >= LONGEST_WAIT) wrong.push(`${number} waits ${time - cameAt} ms`);
        if (begun.some((one) => one > number)) wrong.push(`${number} is passed by others`);
        if (atWork === places) wrong.push(`${number} begins, but all places are taken`);
        begun.push(number);
        atWork += 1;
        void order.event(`${number} is answered`).then(() => {
          atWork -= 1;
          response.end();
        });
      });
      if (requests[number] === 'leaves') {
        void order.event(`${number} leaves`).then(() => {
          left.add(number);
          request.socket.destroy();
        });
      }
      return response;
    };

    const responses: PreemptibleResponse[] = [];
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
        inFlight.check();
      });
    }
    await order.play();
    expect(wrong).toEqual([]);
    responses.forEach(({ statusCode }, number) => {
      if (!left.has(number) && !begun.includes(number)) expect([number, statusCode]).toEqual([number, 503]);
    });
    expect([inFlight.count, inFlight.waiting()]).toEqual([0, []]);
  },
  faults: {
    'did not call the next when a place is free': ['setImmediate(() => this.#callNext())', '{}'],
    'called more than there are places': [
      'this.#atWork < this.maxAtWork && this.#line.length > 0',
      'this.#line.length > 0',
    ],
    'began with the one that came last': ['this.#line.shift()!', 'this.#line.pop()!'],
    'let new ones pass those in line': ['this.#line.length === 0 && this.#atWork', 'this.#atWork'],
    'let somebody wait for longer': ['flight.waitsUntil <= this.now()', 'false'],
    'called those who have left': [
      'if (flight.response.req.socket.destroyed) flight.leave();\n    else if',
      'if',
    ],
  },
});
