import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import { type Client, LeanResponse } from '../../../../../src/platform/http/server/lean-response.js';

let time: number;
let inFlight: InFlight;
beforeEach(() => {
  time = 1_000;
  inFlight = new InFlight(() => time);
});

/** A request that arrives now. */
function arrive(client?: Client): LeanResponse {
  const response = new LeanResponse(new IncomingMessage(new Socket()));
  inFlight.enter(response, client);
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

  it('are not counted while they wait for something else, but looked at', () => {
    const response = arrive();
    inFlight.setAside(response, 'delay');
    expect([inFlight.count, inFlight.waiting().length]).toEqual([0, 1]);
    inFlight.resume(response);
    expect(inFlight.count).toBe(1);
    inFlight.setAside(response, 'delay');
    response.end();
    expect([inFlight.count, inFlight.waiting().length]).toEqual([0, 0]);
    inFlight.setAside(response, 'delay');
    inFlight.resume(response);
    expect(inFlight.count).toBe(0);
  });

  it('have no place as long as their body is on its way', () => {
    const response = arrive();
    response.req.resume();
    inFlight.setUploadsAside();
    expect(inFlight.count).toBe(0);
    response.req.complete = true;
    inFlight.setUploadsAside();
    expect(inFlight.count).toBe(1);
  });

  it('are counted for their clients, who say when one is done', () => {
    const client = { atWork: 0 };
    const free: LeanResponse[] = [];
    inFlight.onPlaceFree = (response) => void free.push(response);
    const [first, second] = [arrive(client), arrive(client)];
    expect(client.atWork).toBe(2);
    inFlight.setAside(first, 'turn');
    expect([client.atWork, free]).toEqual([1, [first]]);
    second.end();
    expect([client.atWork, free]).toEqual([0, [first, second]]);
    first.end();
    expect([client.atWork, free]).toEqual([0, [first, second]]);
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
