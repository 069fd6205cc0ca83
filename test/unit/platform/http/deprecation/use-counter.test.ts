import { describe, expect, it } from 'vitest';
import { UseCounter } from '../../../../../src/platform/http/deprecation/use-counter.js';
import { ManualClock } from '../../../../support/clocks.js';

const clock = new ManualClock(Date.parse('2026-11-20T23:59:59.999Z'));
const LAST_MOMENT = clock.now();

describe('a use of a deprecated operation', () => {
  it('is counted by operation, key and day in UTC, until the counts are taken away', () => {
    const counter = new UseCounter(clock);
    counter.note('getPet', '1');
    counter.note('getPet', '2');
    clock.advance(1);
    counter.note('getPet', '1');
    counter.note('getPet', '1');
    expect(counter.take()).toEqual([
      { operation: 'getPet', keyId: '1', day: '2026-11-20', uses: 1, lastUsedAt: LAST_MOMENT },
      { operation: 'getPet', keyId: '2', day: '2026-11-20', uses: 1, lastUsedAt: LAST_MOMENT },
      { operation: 'getPet', keyId: '1', day: '2026-11-21', uses: 2, lastUsedAt: LAST_MOMENT + 1 },
    ]);
    expect(counter.take()).toEqual([]);
  });

  it('is kept when it could not be written, beside what came meanwhile', () => {
    const counter = new UseCounter(clock);
    counter.note('getPet', '1');
    const unwritten = counter.take();
    counter.note('getPet', '1');
    counter.putBack(unwritten);
    expect(counter.take()).toMatchObject([{ keyId: '1', uses: 2 }]);
  });

  it('takes no more memory for ever more keys', () => {
    const counter = new UseCounter(clock);
    for (let i = 0; i < 10_100; i++) counter.note('getPet', String(i));
    expect(counter.take()).toHaveLength(10_000);
  });
});
