import { beforeEach, describe, expect, it } from 'vitest';
import { Reminders } from '../../../src/vaccinations/application/reminders.js';
import { VaccinationDue } from '../../../src/vaccinations/domain/vaccination-events.js';
import { ManualClock } from '../../support/clocks.js';
import { memoryEvents } from '../../support/events.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { MemoryVaccinationRepository } from '../../support/memory/memory-vaccination-repository.js';
import { aVaccination } from '../../support/vaccination-builder.js';

const DAYS = 14;

describe('reminders', () => {
  let units: MemoryUnitOfWork;
  let repository: MemoryVaccinationRepository;
  let recorded: ReturnType<typeof memoryEvents>;
  let clock: ManualClock;
  let reminders: Reminders;
  beforeEach(() => {
    units = new MemoryUnitOfWork();
    repository = new MemoryVaccinationRepository(units);
    recorded = memoryEvents(units);
    clock = new ManualClock(Date.parse('2026-11-09T12:00:00Z'));
    reminders = new Reminders(repository, recorded.events, units, clock, DAYS);
  });

  /** Adds a vaccination that is due 14 days after the time of the clock. */
  const add = async () => {
    const dueAt = new Date('2026-11-23T12:00:00Z');
    const added = aVaccination({ givenAt: new Date(0), dueAt, state: 'open' });
    await repository.add(added);
    return added;
  };
  const remindedAt = async (id: bigint) => (await repository.find(id))!.remindedAt;

  it('are due so many days before, and not a millisecond earlier', async () => {
    const { id } = await add();
    await reminders.remindSome(9);
    expect(await remindedAt(id)).toBeUndefined();
    clock.advance(1);
    await reminders.remindSome(9);
    expect(await remindedAt(id)).toEqual(new Date(clock.now()));
  });

  it('go out once, some at a time, and say what is due', async () => {
    const heard: object[] = [];
    recorded.events.subscribe(VaccinationDue, 'test', async (payload) => void heard.push(payload));
    const added = [await add(), await add(), await add()];
    clock.set('2026-11-20T06:00:00Z');
    expect([
      await reminders.remindSome(2),
      await reminders.remindSome(2),
      await reminders.remindSome(2),
    ]).toEqual([true, false, false]);
    await recorded.deliver();
    expect(heard).toEqual(added.map(({ id, petId, vaccine, dueAt }) => ({ id, petId, vaccine, dueAt })));
  });

  it('are forgotten with the unit of work that is cut off, and go out with the next one', async () => {
    const { id } = await add();
    clock.set('2026-11-20T06:00:00Z');
    const cutOff = units.run(async () => {
      await reminders.remindSome(9);
      throw new Error('killed');
    });
    await expect(cutOff).rejects.toThrow('killed');
    expect(await remindedAt(id)).toBeUndefined();
    await reminders.remindSome(9);
    expect(await remindedAt(id)).toEqual(new Date(clock.now()));
  });
});
