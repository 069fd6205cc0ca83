import { Controller, Get, type LoggerService } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../../../src/kernel/clock.js';
import { readSettings, Settings } from '../../../../../src/platform/config/settings.js';
import { Deprecated } from '../../../../../src/platform/http/deprecation/deprecated.decorator.js';
import { type Deprecation, Deprecations } from '../../../../../src/platform/http/deprecation/deprecation.js';
import { Links } from '../../../../../src/platform/http/links.js';
import { Routes } from '../../../../../src/platform/http/routes.js';
import { ManualClock } from '../../../../support/clocks.js';

const getPet: Deprecation = {
  since: '2026-11-20',
  sunset: '2030-12-05',
  successor: () => ({ path: '/pets' }),
};

@Controller()
class Desk {
  @Get('old')
  @Deprecated(getPet)
  old() {}

  @Get('new')
  new() {}
}

/** The warnings that the operator reads when the service starts at this time. */
async function warningsAt(time: string, mode: Settings['deprecatedOperations']): Promise<string[]> {
  const warnings: string[] = [];
  const quiet = () => undefined;
  const log: LoggerService = { log: quiet, error: quiet, warn: (text: string) => void warnings.push(text) };
  const assembled = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [Desk],
    providers: [
      Routes,
      Deprecations,
      Links,
      { provide: Clock, useValue: new ManualClock(Date.parse(time)) },
      { provide: Settings, useValue: readSettings({ DEPRECATED_OPERATIONS: mode }) },
    ],
  })
    .setLogger(log)
    .compile();
  await assembled.init();
  assembled.get(Deprecations).warn(assembled.get(Routes).all());
  await assembled.close();
  return warnings;
}

describe('the operator of an operation that will be removed', () => {
  it('is not bothered while there is time', async () => {
    expect(await warningsAt('2030-09-05T23:59:59Z', 'auto')).toEqual([]);
  });

  it('is warned in the last ninety days', async () => {
    expect(await warningsAt('2030-09-06T00:00:01Z', 'auto')).toEqual([
      'Desk_old is due to be removed in 89 days',
    ]);
  });

  it.each([
    ['auto', '2030-12-05T00:00:00Z'],
    ['gone', '2026-11-20T00:00:00Z'],
  ] as const)('is told when it is gone (%s, %s)', async (mode, time) => {
    expect(await warningsAt(time, mode)).toEqual(['Desk_old is gone: it answers 410']);
  });
});

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
