import { Controller, Get, type LoggerService } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
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

const GONE = ['Desk_old is gone: it answers 410'];
const dueIn = (days: number) => [`Desk_old is due to be removed in ${days} days`];

it.each<[mode: Settings['deprecatedOperations'], time: string, isGone: boolean, warnings: string[]]>([
  ['auto', '2030-09-05T23:59:59Z', false, []],
  ['auto', '2030-09-06T00:00:01Z', false, dueIn(89)],
  ['auto', '2030-12-04T23:59:59.999Z', false, dueIn(0)],
  ['auto', '2030-12-05T00:00:00Z', true, GONE],
  ['auto', '2040-01-01T00:00:00Z', true, GONE],
  ['serve', '2030-12-04T23:59:59.999Z', false, dueIn(0)],
  ['serve', '2031-01-01T00:00:00Z', false, ['Desk_old is past its removal date and still served']],
  ['gone', '2026-11-20T00:00:00Z', true, GONE],
])('An operation that will be removed, with %s, at %s: gone is %s, its operator reads %j', async (...row) => {
  const [mode, time, isGone, expected] = row;
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
  expect([assembled.get(Deprecations).isGone(getPet), warnings]).toEqual([isGone, expected]);
  await assembled.close();
});
