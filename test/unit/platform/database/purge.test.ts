import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Clock } from '../../../../src/kernel/clock.js';
import { parseDatabaseUrl } from '../../../../src/platform/config/database-url.js';
import { JoiningDataSource, Leases } from '../../../../src/platform/database/index.js';
import { ManualClock } from '../../../support/clocks.js';
import {
  dataSourceOptions,
  LeaseRows,
  LeaseSchema,
  OldRows,
  Purge,
} from '../../../support/rooms/database.js';

const MINUTE = 60_000;

/** Rows that count how often they are purged. */
@Injectable()
class Letters extends OldRows {
  purges = 0;
  purge(): Promise<number> {
    this.purges += 1;
    return Promise.resolve(0);
  }
}

@Injectable()
class Parcels extends Letters {}

/** A provider with a method of that name, whose rows are not old. */
@Injectable()
class Stamps {
  purges = 0;
  purge() {
    this.purges += 1;
  }
}

/** An empty SQLite in memory, which replicas share. */
async function openDatabase(): Promise<JoiningDataSource> {
  const options = dataSourceOptions(parseDatabaseUrl('sqlite::memory:'), 1, []);
  const source = new JoiningDataSource({ ...options, entities: [LeaseSchema] });
  await source.initialize();
  onTestFinished(() => source.destroy());
  source.open();
  return source;
}

/** The time of the job is long ago for the database's clock, so it counts as done. */
async function startReplica(source: JoiningDataSource, clock = new ManualClock(0)) {
  const leases = new Leases(source, new LeaseRows(source));
  const app = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [
      Letters,
      Stamps,
      Parcels,
      Purge,
      { provide: 'a word', useValue: 'purge' },
      { provide: 'nothing', useValue: null },
      { provide: Leases, useValue: leases },
      { provide: Clock, useValue: clock },
    ],
  }).compile();
  onTestFinished(() => app.close());
  const [letters, parcels, stamps] = [app.get(Letters), app.get(Parcels), app.get(Stamps)];
  const purged = () => [letters.purges, parcels.purges, stamps.purges];
  /** The lease of the job. */
  const job = async () => (await leases.states()).find(({ name }) => name === 'purge');
  return { letters, parcels, leases, clock, purged, job, run: () => app.get(Purge).run() };
}

it('each minute, all old rows are deleted, by one of several replicas', async () => {
  const source = await openDatabase();
  const one = await startReplica(source);
  const other = await startReplica(source, one.clock);
  await Promise.all([one.run(), other.run(), one.run()]);
  const sum = () => one.purged().map((purges, i) => purges + other.purged()[i]!);
  expect(sum()).toEqual([1, 1, 0]);
  expect(await one.job()).toMatchObject({ last: one.clock.now(), problem: undefined });
  one.clock.advance(MINUTE);
  await other.run();
  expect(sum()).toEqual([2, 2, 0]);
});

it('old rows that cannot be deleted do not keep others, and all reasons are the problem of the job', async () => {
  const { letters, parcels, purged, job, run, clock } = await startReplica(await openDatabase());
  const purge = letters.purge.bind(letters);
  letters.purge = () =>
    Promise.reject(new Error('a statement failed', { cause: new Error('the disk is full') }));
  await run();
  expect(purged()).toEqual([0, 1, 0]);
  expect((await job())?.problem).toBe('Old rows could not be deleted: Error: the disk is full');

  parcels.purge = () => Promise.reject(new Error('a bug'));
  clock.advance(MINUTE);
  await run();
  expect((await job())?.problem).toBe('Old rows could not be deleted: Error: the disk is full; Error: a bug');

  [letters.purge, parcels.purge] = [purge, purge];
  clock.advance(MINUTE);
  await run();
  expect((await job())?.problem).toBeUndefined();
});

it('no more old rows are deleted when the service stops, and this minute is left to another replica', async () => {
  const source = await openDatabase();
  const { letters, leases, purged, job, run, clock } = await startReplica(source);
  let stopped: Promise<void> | undefined;
  letters.purge = () => {
    stopped = leases.beforeApplicationShutdown();
    return Promise.resolve(0);
  };
  await run();
  await stopped;
  expect(purged()).toEqual([0, 0, 0]);
  expect((await job())?.last).toBeUndefined();
  const other = await startReplica(source, clock);
  await other.run();
  expect(other.purged()).toEqual([1, 1, 0]);
});
