import { Logger } from '@nestjs/common';
import { expect, it } from 'vitest';
import { readSettings, type Settings } from '../../../../../src/platform/config/settings.js';
import type { Deprecation } from '../../../../../src/platform/http/index.js';
import { Deprecations, Links } from '../../../../support/rooms/http.js';
import { ManualClock } from '../../../../support/clocks.js';

const deprecation: Deprecation = {
  since: '2026-11-20',
  sunset: '2030-12-05',
  successor: () => ({ path: '/pets' }),
};
const OPERATIONS = [
  { operation: 'old', deprecation },
  { operation: 'new', deprecation: undefined },
];

const GONE = ['old is gone: it answers 410'];
const dueIn = (days: number) => [`old is due to be removed in ${days} days`];

it.each<[mode: Settings['deprecatedOperations'], time: string, isGone: boolean, warnings: string[]]>([
  ['auto', '2030-09-05T23:59:59Z', false, []],
  ['auto', '2030-09-06T00:00:01Z', false, dueIn(89)],
  ['auto', '2030-12-04T23:59:59.999Z', false, dueIn(0)],
  ['auto', '2030-12-05T00:00:00Z', true, GONE],
  ['auto', '2040-01-01T00:00:00Z', true, GONE],
  ['serve', '2030-12-04T23:59:59.999Z', false, dueIn(0)],
  ['serve', '2031-01-01T00:00:00Z', false, ['old is past its removal date and still served']],
  ['gone', '2026-11-20T00:00:00Z', true, GONE],
])('An operation with a removal date, in the mode %s, at %s: removed is %s, the log has %j', (...row) => {
  const [mode, time, isGone, expected] = row;
  const warnings: string[] = [];
  const quiet = () => undefined;
  Logger.overrideLogger({ log: quiet, error: quiet, warn: (text: string) => void warnings.push(text) });
  const settings = readSettings({ DEPRECATED_OPERATIONS: mode });
  const deprecations = new Deprecations(new ManualClock(Date.parse(time)), settings, new Links(settings));
  deprecations.warn(OPERATIONS);
  expect([deprecations.isGone(deprecation), warnings]).toEqual([isGone, expected]);
});
