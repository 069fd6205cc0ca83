import fc from 'fast-check';
import { expect } from 'vitest';
import * as module from '../../src/access/application/key-cache.js';
import { ApiKey } from '../../src/access/domain/api-key.js';
import { ManualClock } from '../support/clocks.js';
import { inAnyOrder } from './orders.js';

/** The documented time until a revoked key is rejected, in ms. */
const ACCEPTED_AFTER_ITS_END = 5_000;

/** Requests with one key, which is registered and revoked meanwhile, and seconds that pass. Some reads fail. */
const plan = fc.record({
  requests: fc.integer({ min: 1, max: 6 }),
  seconds: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
  isKnown: fc.boolean(),
  isRevoked: fc.boolean(),
  failingReads: fc.uniqueArray(fc.nat(4), { maxLength: 1 }),
});

inAnyOrder('a cached key is accepted for the documented time, and a new key at once', {
  module,
  plan,
  async story({ KeyCache }, { requests, seconds, isKnown, isRevoked, failingReads }, order) {
    const clock = new ManualClock();
    const cache = new KeyCache(clock);
    const key = ApiKey.issue(1n, { name: 'shop' }, 'hash', clock.now());
    let stored = isKnown ? key : undefined;
    let revokedAt = Number.POSITIVE_INFINITY;
    let reads = 0;
    const read = async () => {
      const number = reads++;
      // The statement is sent when the event loop has read its sockets.
      await new Promise(setImmediate);
      await order.event(`read ${number} sees the key`);
      const seen = stored;
      await order.event(`read ${number} ends`);
      if (failingReads.includes(number)) throw new Error('the database is away');
      return seen;
    };

    let answered = 0;
    const wrong: string[] = [];
    for (let i = 0; i < requests; i++) {
      void order.event('a request').then(async () => {
        const came = clock.now();
        const [wasRegistered, wasRevoked] = [
          stored !== undefined,
          came - revokedAt >= ACCEPTED_AFTER_ITS_END,
        ];
        const found = await cache.get('hash', read).catch((error: Error) => error);
        const isGood = found instanceof ApiKey && found.stateAt(came) === 'active';
        if (wasRevoked && isGood) wrong.push(`accepted ${came - revokedAt} ms after its end`);
        if (wasRegistered && found === undefined) wrong.push('refused although it is registered');
        answered += 1;
      });
    }
    for (const one of seconds) void order.event(`${one} s pass`).then(() => clock.advance(one * 1_000));
    const changes = async () => {
      if (!isKnown) await order.event('the key is registered').then(() => (stored = key));
      if (!isRevoked) return;
      await order.event('the key is revoked');
      revokedAt = clock.now();
      stored = key.revoke(revokedAt);
    };
    void changes();
    await order.play();
    expect(wrong).toEqual([]);
    expect(answered).toBe(requests);
  },
  faults: {
    'the age of a key counts from the beginning of its lookup':
      'if (key) this.#keys.set(secretHash, { key, readAt: this.clock.monotonic() });',
  },
});
