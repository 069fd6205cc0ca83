import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import { LeanResponse } from '../../../../../src/platform/http/server/lean-response.js';

let time: number;
let inFlight: InFlight;
beforeEach(() => {
  time = 1_000;
  inFlight = new InFlight(() => time);
});

/** A request that arrives now. */
function arrive(): LeanResponse {
  const response = new LeanResponse(new IncomingMessage(new Socket()));
  inFlight.enter(response);
  return response;
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

  it('are not counted while their body is on its way, but looked at', () => {
    const response = arrive();
    inFlight.uploadBegun(response);
    expect([inFlight.count, inFlight.waiting().length]).toEqual([0, 1]);
    inFlight.uploadEnded(response);
    expect(inFlight.count).toBe(1);
    inFlight.uploadBegun(response);
    response.end();
    expect([inFlight.count, inFlight.waiting().length]).toEqual([0, 0]);
    inFlight.uploadBegun(response);
    expect(inFlight.count).toBe(0);
  });

  it('are told in the order in which they came, and only those that have waited long enough', () => {
    const first = arrive();
    time += 50;
    const second = arrive();
    time += 50;
    arrive();
    expect(inFlight.waiting(101)).toEqual([]);
    expect(inFlight.waiting(100)).toEqual([first]);
    expect(inFlight.waiting(50)).toEqual([first, second]);
    expect(inFlight.waiting()).toHaveLength(3);
  });

  it('have places that are given again, whoever came and went meanwhile', () => {
    const [first, second, third] = [arrive(), arrive(), arrive()];
    second.end();
    const fourth = arrive();
    const fifth = arrive();
    expect(inFlight.waiting()).toEqual([first, third, fourth, fifth]);
    first.end();
    second.end();
    expect([inFlight.count, inFlight.waiting()]).toEqual([3, [third, fourth, fifth]]);
  });

  it('may be answered while somebody looks at them', () => {
    const all = [arrive(), arrive(), arrive()];
    const seen = [];
    for (const response of inFlight.waiting()) {
      seen.push(response);
      response.end();
    }
    expect(seen).toEqual(all);
    expect(inFlight.count).toBe(0);
  });
});
