import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOB, Job, type JobOptions, timeAfter } from '../../../../src/platform/jobs/job.decorator.js';

class Shop {
  @Job('shop.cleaning', '0 0 3 * * *')
  async clean(): Promise<void> {}
}

describe.each(['America/New_York', 'Asia/Kolkata', 'UTC'])('on a machine whose time zone is %s', (zone) => {
  const before = process.env['TZ'];
  beforeEach(() => void (process.env['TZ'] = zone));
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  const options = Reflect.getMetadata(JOB, Shop.prototype.clean) as JobOptions;
  const next = (time: string) => new Date(timeAfter(options, Date.parse(time))).toISOString();

  it('a job of three in the morning runs at three in UTC, also when clocks there are changed', () => {
    expect(next('2026-11-20T12:00:00Z')).toBe('2026-11-21T03:00:00.000Z');
    expect(next('2026-11-21T02:59:59.999Z')).toBe('2026-11-21T03:00:00.000Z');
    expect(next('2026-11-21T03:00:00Z')).toBe('2026-11-22T03:00:00.000Z');
    expect(next('2027-03-14T02:30:00Z')).toBe('2027-03-14T03:00:00.000Z');
  });
});
