import { Injectable, Module } from '@nestjs/common';
import { Cron, Interval, Timeout } from '@nestjs/schedule';
import { expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { startService } from '../../support/service.js';

/** The longest time of a timer of Node.js in ms, about 24.8 days. */
const LONGEST = 2 ** 31 - 1;

it.each<[string, MethodDecorator]>([
  ['@Interval', Interval(LONGEST + 1)],
  ['@Interval', Interval('named', LONGEST + 1)],
  ['@Timeout', Timeout(LONGEST + 1)],
  ['@Timeout', Timeout('named', Infinity)],
  ['initialDelay of @Cron', Cron('0 5 * * *', { initialDelay: LONGEST + 1 })],
])('a timer that is longer than Node.js can wait prevents the start: %s', async (what, timer) => {
  @Injectable()
  class Monthly {
    @timer
    sweep() {}
  }

  @Module({ providers: [Monthly] })
  class MonthlyModule {}

  const started = startService(sqlite, { modules: [MonthlyModule] });
  await expect(started).rejects.toThrow(
    `${what} of Monthly.sweep is longer than ${LONGEST} ms, the longest time of a timer, so it would run at once. Use @Cron`,
  );
});

it('the longest timers of Node.js do not prevent the start, and do not run at once', async () => {
  let runs = 0;

  @Injectable()
  class Monthly {
    @Interval(LONGEST)
    sweep() {
      runs += 1;
    }

    @Timeout(LONGEST)
    finish() {
      runs += 1;
    }
  }

  @Module({ providers: [Monthly, { provide: 'a value', useValue: null }] })
  class MonthlyModule {}

  const service = await startService(sqlite, { modules: [MonthlyModule] });
  expect((await service.stranger.get('/livez')).status).toBe(200);
  await service.stop();
  expect(runs).toBe(0);
});
