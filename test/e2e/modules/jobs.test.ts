import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { Cron, Interval, ScheduleModule } from '@nestjs/schedule';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Clock } from '../../../src/kernel/clock.js';
import { Events } from '../../../src/kernel/events.js';
import { PetAdded } from '../../../src/pets/index.js';
import type { CommandContext } from '../../../src/platform/ops/cli/command-context.js';
import { Commands } from '../../../src/platform/ops/cli/commands.decorator.js';
import { Leases, minuteOf } from '../../../src/platform/database/leases/leases.js';
import type { ManualClock } from '../../support/clocks.js';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { type Service, startService } from '../../support/service.js';

/** A module with a job whose work the test defines; each replica has its own. Its timer fires each second, its times are minutes. */
function cleaning() {
  const shop = { begun: 0, cleaned: 0, clean: async (_signal: AbortSignal): Promise<void> => {} };

  @Injectable()
  class Cleaning {
    constructor(
      private readonly leases: Leases,
      private readonly clock: Clock,
    ) {}

    @Cron('* * * * * *', { timeZone: 'UTC' })
    poll() {
      const once = minuteOf(this.clock.now());
      return this.leases.run('shop.cleaning', 60_000, (signal) => this.clean(signal), { once });
    }

    async clean(signal: AbortSignal) {
      shop.begun++;
      await shop.clean(signal);
      shop.cleaned++;
    }
  }

  @Module({ providers: [Cleaning] })
  class CleaningModule {}
  return { shop, module: CleaningModule };
}

/** How a lease is taken and lost is in test/contract/leases.test.ts. */
describe('a scheduled job', () => {
  let database: TestDatabase;
  let [one, two]: ReturnType<typeof cleaning>[] = [];
  let [first, second]: Service[] = [];
  let clock: ManualClock;
  beforeEach(async () => {
    database = await sqlite.create();
    [one, two] = [cleaning(), cleaning()];
    first = await startService(existing(database), { modules: [one.module] });
    clock = first.clock;
    second = await startService(existing(database), { modules: [two.module], beside: first });
    await eventually(async () => (await state())?.last === clock.now());
  });
  afterEach(async () => {
    await second!.stop();
    await first!.stop();
    await database.drop();
  });

  const state = async () => {
    const states = await first!.app.get(Leases).states();
    return states.find(({ name }) => name === 'shop.cleaning');
  };
  const begun = () => one!.shop.begun + two!.shop.begun;

  it('is done once for each of its times, by one of the replicas', async () => {
    for (const minute of [1, 2, 3]) {
      clock.advance(60_000);
      await eventually(async () => (await state())?.last === clock.now());
      expect([minute, begun()]).toEqual([minute, minute + 1]);
    }
    expect(one!.shop.cleaned + two!.shop.cleaned).toBe(4);
  });

  it('is left by a replica that stops to another one, for the same time', async () => {
    for (const { shop } of [one!, two!]) {
      shop.clean = (signal) =>
        new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)));
    }
    clock.advance(60_000);
    await eventually(async () => begun() === 2);
    const isFirst = one!.shop.begun > one!.shop.cleaned;
    const [stopped, heir, rest] = isFirst ? [first!, two!, second!] : [second!, one!, first!];
    heir.shop.clean = async () => {};
    await stopped.app.close();
    const states = rest.app.get(Leases);
    await eventually(async () => {
      const found = (await states.states()).find(({ name }) => name === 'shop.cleaning');
      return found?.last === clock.now() && found.problem === undefined;
    });
    expect(begun()).toBe(3);
  });
});

/** A module with work of each kind that goes on in the background, and a command that takes longer than it waits. */
function busy() {
  const ran = new Set<string>();

  @Injectable()
  class Busy {
    @Cron('* * * * * *')
    count() {
      ran.add('cron');
    }

    @Interval(10)
    poll() {
      ran.add('interval');
    }
  }

  const command = ({ runWithDatabase, print }: CommandContext) =>
    new Command('wait').action(async () => {
      await runWithDatabase(() => sleep(1_500));
      print('waited');
    });

  @Commands(command)
  @Module({ providers: [Busy] })
  class BusyModule {
    constructor(events: Events) {
      events.subscribe(PetAdded, 'busy', async () => void ran.add('event'));
    }
  }
  return { ran, module: BusyModule };
}

it('what a module does in the background is done by the service, and by no command', async () => {
  const database = await sqlite.create();
  const { ran, module } = busy();
  const event = "(1, 'busy', 'PetAdded', 'pet/1', '{}', 0, 0, 0, 1)";
  const environment = { DATABASE_URL: database.url };
  const run = (...args: string[]) => petstore(args, environment, '', [...MODULES, module]);
  await run('db', 'migrate');
  await database.execute(
    `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position) VALUES ${event}`,
  );
  expect(await run('wait')).toMatchObject({ code: 0, output: 'waited\n' });
  expect([...ran]).toEqual([]);
  const service = await startService(existing(database), { modules: [module] });
  await eventually(async () => ran.size === 3);
  await service.stop();
  await database.drop();
});

it('a module that imports the scheduler once more is refused, for each of the two would run all jobs', async () => {
  @Module({ imports: [ScheduleModule.forRoot()] })
  class ScheduledModule {}

  const database = await sqlite.create();
  const started = startService(existing(database), { modules: [ScheduledModule] });
  await expect(started).rejects.toThrow('ScheduleModule.forRoot() is imported twice. The service imports it');
  await database.drop();
});
