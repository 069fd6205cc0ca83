import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DailyUsage,
  type DailyUsageRepository,
  UsageRecorder,
} from '../../../../../src/platform/http/deprecation/daily-usage.js';
import { ManualClock } from '../../../../support/clocks.js';

const clock = new ManualClock(Date.parse('2026-11-20T23:59:59.999Z'));
const LAST_MOMENT = clock.now();

/** A table that stores what is added, while it is reachable. */
function table() {
  const rows: DailyUsage[] = [];
  const reach = { isAway: false };
  const add = (use: DailyUsage) => {
    if (reach.isAway) return Promise.reject(new Error('away'));
    rows.push(use);
    return Promise.resolve();
  };
  const recorder = new UsageRecorder(clock, { add } as DailyUsageRepository);
  return { recorder, reach, rows };
}

beforeAll(() => Logger.overrideLogger(false));

describe('a use of a deprecated operation', () => {
  it('is counted by operation, key and day in UTC, until the counts are written', async () => {
    const { recorder, rows } = table();
    recorder.count('getPet', '1');
    recorder.count('getPet', '2');
    clock.advance(1);
    recorder.count('getPet', '1');
    recorder.count('getPet', '1');
    await recorder.write();
    expect(rows).toEqual([
      { operation: 'getPet', keyId: '1', day: '2026-11-20', uses: 1, lastUsedAt: LAST_MOMENT },
      { operation: 'getPet', keyId: '2', day: '2026-11-20', uses: 1, lastUsedAt: LAST_MOMENT },
      { operation: 'getPet', keyId: '1', day: '2026-11-21', uses: 2, lastUsedAt: LAST_MOMENT + 1 },
    ]);
    await recorder.write();
    expect(rows).toHaveLength(3);
  });

  it('is kept when it could not be written, beside what came meanwhile', async () => {
    const { recorder, reach, rows } = table();
    recorder.count('getPet', '1');
    reach.isAway = true;
    const writing = recorder.write();
    recorder.count('getPet', '1');
    await writing;
    reach.isAway = false;
    await recorder.write();
    expect(rows).toMatchObject([{ keyId: '1', uses: 2 }]);
  });

  it('takes no more memory for ever more keys', async () => {
    const { recorder, rows } = table();
    for (let i = 0; i < 10_100; i++) recorder.count('getPet', String(i));
    await recorder.write();
    expect(rows).toHaveLength(10_000);
  });
});
