import { beforeEach, describe, expect, it } from 'vitest';
import { FailedAttempts } from '../../../src/access/application/failed-attempts.js';
import { ManualClock } from '../../support/clocks.js';

const THIEF = '203.0.113.7';
const CUSTOMER = '203.0.113.8';

let clock: ManualClock;
let attempts: FailedAttempts;

beforeEach(() => {
  clock = new ManualClock();
  attempts = new FailedAttempts(clock);
});

/** How long the refusal of a request that comes now takes. */
const waitOf = async (address: string) => {
  const begunAt = clock.now();
  await attempts.delayRefusal(address, begunAt);
  return clock.now() - begunAt;
};
/** Fails without any time passing: the request came long ago. */
const failAtOnce = async (address: string, times = 1) => {
  for (let i = 0; i < times; i++) await attempts.delayRefusal(address, clock.now() - 10_000);
};

describe('whoever comes with a bad key', () => {
  it('is refused 50 ms after the request came', async () => {
    expect(await waitOf(THIEF)).toBe(50);
  });

  it('is refused at that time though looking the key up took part of it', async () => {
    const begunAt = clock.now();
    clock.advance(30);
    await attempts.delayRefusal(THIEF, begunAt);
    expect(clock.now() - begunAt).toBe(50);
  });

  it('does not wait any longer when looking the key up took all of it', async () => {
    const begunAt = clock.now();
    clock.advance(80);
    await attempts.delayRefusal(THIEF, begunAt);
    expect(clock.now() - begunAt).toBe(80);
  });

  it('is forgiven five times, and then waits 100 ms longer each time', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(await waitOf(THIEF));
    expect(waits).toEqual([50, 50, 50, 50, 50, 150, 250, 350]);
  });

  it('waits two seconds longer at the most', async () => {
    await failAtOnce(THIEF, 23);
    expect(await waitOf(THIEF)).toBe(1_950);
    expect(await waitOf(THIEF)).toBe(2_050);
    expect(await waitOf(THIEF)).toBe(2_050);
  });

  it('begins anew after a minute without a failure', async () => {
    await failAtOnce(THIEF, 20);
    clock.advance(60_000);
    expect(await waitOf(THIEF)).toBe(50);
  });

  it('is remembered until the minute is over', async () => {
    await failAtOnce(THIEF, 20);
    clock.advance(59_999);
    expect(await waitOf(THIEF)).toBe(1_650);
  });

  it('is remembered for another minute by each failure', async () => {
    await failAtOnce(THIEF, 20);
    clock.advance(40_000);
    await failAtOnce(THIEF);
    clock.advance(40_000);
    expect(await waitOf(THIEF)).toBe(1_750);
  });

  it('is counted also when many requests come at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => failAtOnce(THIEF)));
    expect(await waitOf(THIEF)).toBe(650);
  });

  it('slows down nobody at another address', async () => {
    await failAtOnce(THIEF, 100);
    expect(await waitOf(CUSTOMER)).toBe(50);
  });
});

describe('the memory for failures', () => {
  const crowd = async (size: number) => {
    for (let i = 0; i < size; i++) await failAtOnce(`198.51.100.${i}`);
  };

  it('holds ten thousand addresses', async () => {
    await failAtOnce(THIEF, 20);
    await crowd(9_999);
    expect(await waitOf(THIEF)).toBe(1_650);
  });

  it('then forgets who failed the longest ago', async () => {
    await failAtOnce(THIEF, 20);
    await crowd(10_000);
    expect(await waitOf(THIEF)).toBe(50);
  });

  it('does not forget who began long ago but failed just now', async () => {
    await failAtOnce(THIEF, 20);
    await crowd(5_000);
    await failAtOnce(THIEF);
    for (let i = 0; i < 9_000; i++) await failAtOnce(`192.0.2.${i}`);
    expect(await waitOf(THIEF)).toBe(1_750);
  });
});
