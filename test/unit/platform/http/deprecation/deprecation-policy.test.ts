import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../../../src/platform/config/settings.js';
import { type Deprecation, Deprecations } from '../../../../../src/platform/http/deprecation/deprecation.js';
import { Links } from '../../../../../src/platform/http/links.js';
import { ManualClock } from '../../../../support/clocks.js';

const getPet: Deprecation = {
  since: '2026-11-20',
  sunset: '2030-12-05',
  successor: () => ({ path: '/pets' }),
};
const LAST_MOMENT = '2030-12-04T23:59:59.999Z';
const REMOVAL = '2030-12-05T00:00:00.000Z';
const clockAt = (time: string) => new ManualClock(Date.parse(time));
const policy = (clock: ManualClock, deprecatedOperations: Settings['deprecatedOperations']) => {
  const settings = { deprecatedOperations, trustProxy: false } as Settings;
  return new Deprecations(clock, settings, new Links(settings));
};

describe('an operation that will be removed', () => {
  it('works until the last moment of the day before', () => {
    expect(policy(clockAt(LAST_MOMENT), 'auto').isGone(getPet)).toBe(false);
  });

  it.each([REMOVAL, '2040-01-01T00:00:00Z'])('is gone at %s', (time) => {
    expect(policy(clockAt(time), 'auto').isGone(getPet)).toBe(true);
  });

  it.each([LAST_MOMENT, REMOVAL])('goes on if the operator wants it served, at %s', (time) => {
    expect(policy(clockAt(time), 'serve').isGone(getPet)).toBe(false);
  });

  it.each([LAST_MOMENT, REMOVAL])('has ended already if the operator wants it gone, at %s', (time) => {
    expect(policy(clockAt(time), 'gone').isGone(getPet)).toBe(true);
  });
});
