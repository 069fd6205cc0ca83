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

  it('are due so many days before, and not a millisecond earlier', async () => {
    await repository.add(aVaccination());
    await reminders.remindSome(9);
    expect((await repository.find(4211n))!.remindedAt).toBeUndefined();
    clock.advance(1);
    await reminders.remindSome(9);
    expect((await repository.find(4211n))!.remindedAt).toEqual(new Date(clock.now()));
  });

  it('go out once, some at a time, and say what is due', async () => {
    const heard: object[] = [];
    recorded.events.subscribe(VaccinationDue, 'test', async (payload) => void heard.push(payload));
    for (const id of [1n, 2n, 3n]) await repository.add(aVaccination({ id }));
    clock.set('2026-11-20T06:00:00Z');
    expect([
      await reminders.remindSome(2),
      await reminders.remindSome(2),
      await reminders.remindSome(2),
    ]).toEqual([true, false, false]);
    await recorded.deliver();
    const { petId, vaccine, dueAt } = aVaccination();
    expect(heard).toEqual([1n, 2n, 3n].map((id) => ({ id, petId, vaccine, dueAt })));
  });

  it('are forgotten with the unit of work that is cut off, and go out with the next one', async () => {
    await repository.add(aVaccination());
    clock.set('2026-11-20T06:00:00Z');
    const cutOff = units.run(async () => {
      await reminders.remindSome(9);
      throw new Error('killed');
    });
    await expect(cutOff).rejects.toThrow('killed');
    expect((await repository.find(4211n))!.remindedAt).toBeUndefined();
    await reminders.remindSome(9);
    expect((await repository.find(4211n))!.remindedAt).toEqual(new Date(clock.now()));
  });
});
