import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { Cron, Interval, ScheduleModule } from '@nestjs/schedule';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { MODULES } from '../../../src/app.module.js';
import { Events } from '../../../src/kernel/events.js';
import { PetAdded } from '../../../src/pets/index.js';
import type { CommandContext } from '../../../src/platform/ops/cli/command-context.js';
import { Commands } from '../../../src/platform/ops/cli/commands.decorator.js';
import { existing, sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { petstore } from '../../support/petstore.js';
import { startService } from '../../support/service.js';

/** A module with each kind of background work, and a command that takes longer than this work needs to begin. */
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

it('background work of a module runs in the service, and in no command', async () => {
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

it('a module that imports the scheduler again stops the start, because both schedulers would run all jobs', async () => {
  @Module({ imports: [ScheduleModule.forRoot()] })
  class ScheduledModule {}

  const database = await sqlite.create();
  const started = startService(existing(database), { modules: [ScheduledModule] });
  await expect(started).rejects.toThrow('ScheduleModule.forRoot() is imported twice. The service imports it');
  await database.drop();
});
