import { SchedulerRegistry } from '@nestjs/schedule';
import { expect } from 'vitest';
import { Leases, minuteOf } from '../../src/platform/database/index.js';
import { eventually } from './eventually.js';
import type { Service } from './service.js';

/**
 * Moves the clock to a time of the job `name`, fires its timer on each replica, and waits until one has done it. The name is that
 * of its `@Cron` and of its lease. Fails if the job does.
 */
export async function runJob(
  name: string,
  time: string,
  ...replicas: readonly [Service, ...Service[]]
): Promise<void> {
  const [{ app, clock }] = replicas;
  clock.set(time);
  for (const replica of replicas) void replica.app.get(SchedulerRegistry).getCronJob(name).fireOnTick();
  const stateOf = async () => (await app.get(Leases).states()).find((lease) => lease.name === name);
  await eventually(async () => expect(await stateOf()).toMatchObject({ last: minuteOf(clock.now()) }));
  expect((await stateOf())?.problem ?? null, `the problem of ${name}`).toBeNull();
}
