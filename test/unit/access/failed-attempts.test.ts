import { beforeEach, describe, expect, it } from 'vitest';
import { FailedAttempts } from '../../../src/access/application/failed-attempts.js';
import { ManualClock } from '../../support/clocks.js';

const THIEF = '203.0.113.7';
const CUSTOMER = '203.0.113.8';
const MAX_ADDRESSES = 100;

let clock: ManualClock;
let attempts: FailedAttempts;

beforeEach(() => {
  clock = new ManualClock();
  attempts = new FailedAttempts(clock, MAX_ADDRESSES);
});

/** Delay in ms of the refusal of a request that arrives now. */
const waitOf = (address: string) => attempts.failed(address, clock.now());
/** Adds failures without any time passing. */
const fail = (address: string, times = 1) => {
  for (let i = 0; i < times; i++) waitOf(address);
};

describe('whoever comes with a bad key', () => {
  it('is refused 50 ms after the request came', () => {
    expect(waitOf(THIEF)).toBe(50);
  });

  it('is refused at that time though looking the key up took part of it', () => {
    expect(attempts.failed(THIEF, clock.now() - 30)).toBe(20);
  });

  it('does not wait any longer when looking the key up took all of it', () => {
    expect(attempts.failed(THIEF, clock.now() - 80)).toBe(0);
  });

  it('is forgiven five times, and then waits 100 ms longer each time', () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(waitOf(THIEF));
    expect(waits).toEqual([50, 50, 50, 50, 50, 150, 250, 350]);
  });

  it('waits two seconds longer at the most', () => {
    fail(THIEF, 23);
    expect(waitOf(THIEF)).toBe(1_950);
    expect(waitOf(THIEF)).toBe(2_050);
    expect(waitOf(THIEF)).toBe(2_050);
  });

  it('begins anew after a minute without a failure', () => {
    fail(THIEF, 20);
    clock.advance(60_000);
    expect(waitOf(THIEF)).toBe(50);
  });

  it('is remembered until the minute is over', () => {
    fail(THIEF, 20);
    clock.advance(59_999);
    expect(waitOf(THIEF)).toBe(1_650);
  });

  it('is remembered for another minute by each failure', () => {
    fail(THIEF, 20);
    clock.advance(40_000);
    fail(THIEF);
    clock.advance(40_000);
    expect(waitOf(THIEF)).toBe(1_750);
  });

  it('slows down nobody at another address', () => {
    fail(THIEF, 100);
    expect(waitOf(CUSTOMER)).toBe(50);
  });
});

describe('the memory for failures', () => {
  const crowd = (size: number) => {
    for (let i = 0; i < size; i++) fail(`198.51.100.${i}`);
  };

  it('holds so many addresses', () => {
    fail(THIEF, 20);
    crowd(MAX_ADDRESSES - 1);
    expect(waitOf(THIEF)).toBe(1_650);
  });

  it('then forgets who failed the longest ago', () => {
    fail(THIEF, 20);
    crowd(MAX_ADDRESSES);
    expect(waitOf(THIEF)).toBe(50);
  });

  it('does not forget who began long ago but failed just now', () => {
    fail(THIEF, 20);
    crowd(MAX_ADDRESSES / 2);
    fail(THIEF);
    for (let i = 0; i < MAX_ADDRESSES - 10; i++) fail(`192.0.2.${i}`);
    expect(waitOf(THIEF)).toBe(1_750);
  });
});

describe('an address that fails faster than delays pass', () => {
  /** Fails until the address is exhausted. @returns the number of failures */
  const exhaust = () => {
    let failures = 0;
    for (; !attempts.isExhausted(THIEF); failures++) waitOf(THIEF);
    return failures;
  };

  it('is exhausted when some 250 delays are still to come, and nobody else is', () => {
    expect(exhaust()).toBe(265);
    expect(attempts.isExhausted(CUSTOMER)).toBe(false);
  });

  it('may fail 121 times a second from then on', () => {
    exhaust();
    let failures = 0;
    for (let passed = 0; passed < 1_000; passed++, clock.advance(1)) {
      for (; !attempts.isExhausted(THIEF); failures++) waitOf(THIEF);
    }
    expect(failures).toBe(121);
  });

  it('is not exhausted by 240 clients that wait for their refusals', () => {
    for (let i = 0; i < 25; i++) waitOf(THIEF);
    for (let i = 0; i < 10; i++) {
      for (let client = 0; client < 240; client++) {
        expect(attempts.isExhausted(THIEF)).toBe(false);
        waitOf(THIEF);
      }
      clock.advance(2_050);
    }
  });
});
