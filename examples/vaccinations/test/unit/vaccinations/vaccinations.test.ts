import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { Vaccinations } from '../../../src/vaccinations/application/vaccinations.js';
import { UnknownPet, VaccinationNotFound } from '../../../src/vaccinations/domain/vaccination-errors.js';
import {
  VaccinationAdded,
  VaccinationChanged,
  VaccinationDeleted,
} from '../../../src/vaccinations/domain/vaccination-events.js';
import { memoryEvents } from '../../support/events.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { MemoryVaccinationRepository } from '../../support/memory/memory-vaccination-repository.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { aPet } from '../../support/pet-builder.js';
import { aVaccination, aNewVaccination, vaccinationStepsTo } from '../../support/vaccination-builder.js';

const SOLD = 99n;

describe('the use cases of vaccinations', () => {
  let recorded: ReturnType<typeof memoryEvents>;
  let vaccinations: Vaccinations;
  beforeEach(async () => {
    const units = new MemoryUnitOfWork();
    recorded = memoryEvents(units);
    const pets = new MemoryPetRepository(units);
    for (const id of [42n, 57n]) await pets.add(aPet({ id }));
    await pets.add(aPet({ id: SOLD, status: 'sold' }));
    vaccinations = new Vaccinations(
      new MemoryVaccinationRepository(units),
      new PetCatalog(pets, new MemorySequence(), recorded.events),
      new MemorySequence(),
      recorded.events,
      units,
    );
  });
  const idsOf = (items: readonly { id: bigint }[]) => items.map(({ id }) => id);

  it('return the vaccination as it was stored', async () => {
    const input = aNewVaccination();
    const added = await vaccinations.add(input);
    expect(added).toEqual(aVaccination({ id: 1n, ...input }));
    expect(await vaccinations.get(1n)).toEqual(added);
  });

  it('assign different ids to two vaccinations', async () => {
    const [one, other] = [
      await vaccinations.add(aNewVaccination()),
      await vaccinations.add(aNewVaccination()),
    ];
    expect(one.id).not.toBe(other.id);
  });

  it('store nothing, and use no id, when the input is rejected', async () => {
    await expect(vaccinations.add(aNewVaccination({ vaccine: '' }))).rejects.toThrow(InvalidInput);
    expect((await vaccinations.list({ limit: 9 })).items).toEqual([]);
    expect((await vaccinations.add(aNewVaccination())).id).toBe(1n);
  });

  it('store nothing for a pet that does not exist', async () => {
    await expect(vaccinations.add(aNewVaccination({ petId: 404n }))).rejects.toThrow(UnknownPet);
    expect((await vaccinations.list({ limit: 9 })).items).toEqual([]);
    const added = await vaccinations.add(aNewVaccination());
    await expect(vaccinations.change(added.id, { petId: 404n })).rejects.toThrow(UnknownPet);
    expect(await vaccinations.get(added.id)).toEqual(added);
  });

  it('transfer the open vaccinations of a sold pet, record events, and do not change the others', async () => {
    const reported: bigint[] = [];
    recorded.events.subscribe(VaccinationChanged, 'test', async ({ id }) => void reported.push(id));
    const [first, second, other, done] = [
      await vaccinations.add(aNewVaccination({ petId: 57n, state: 'open' })),
      await vaccinations.add(aNewVaccination({ petId: 57n, state: 'open' })),
      await vaccinations.add(aNewVaccination({ petId: 42n, state: 'open' })),
      await vaccinations.add(aNewVaccination({ petId: 57n, state: 'done' })),
    ];
    await vaccinations.transferOpen(57n);
    for (const { id } of [first, second]) expect((await vaccinations.get(id)).state).toBe('transferred');
    for (const one of [other, done]) expect(await vaccinations.get(one.id)).toEqual(one);
    await recorded.deliver();
    expect(reported).toEqual(idsOf([first, second]));
  });

  it.each(['open', 'done'] as const)(
    'add an %s vaccination to a sold pet, and move one to it',
    async (state) => {
      const expected = { open: 'transferred', done: 'done' }[state];
      const added = await vaccinations.add(aNewVaccination({ petId: SOLD, state }));
      expect(added.state).toBe(expected);
      expect(await vaccinations.get(added.id)).toEqual(added);
      const { id } = await vaccinations.add(aNewVaccination({ state }));
      expect((await vaccinations.change(id, { petId: SOLD })).state).toBe(expected);
      expect((await vaccinations.change(id, { state: 'open' })).state).toBe('transferred');
    },
  );

  it('reject an invalid change, also if the vaccination does not exist', async () => {
    await expect(vaccinations.change(404n, { vaccine: '' })).rejects.toThrow(InvalidInput);
  });

  it('list the newest first, with the position of the next page', async () => {
    for (let i = 0; i < 4; i++) await vaccinations.add(aNewVaccination());
    const page = await vaccinations.list({ limit: 3 });
    expect([idsOf(page.items), page.next]).toEqual([[4n, 3n, 2n], { id: 2n }]);
    expect(await vaccinations.list({ after: page.next!, limit: 3 })).toEqual({
      items: [await vaccinations.get(1n)],
    });
  });

  it('change a vaccination', async () => {
    const { id } = await vaccinations.add(aNewVaccination());
    for (const change of vaccinationStepsTo(aNewVaccination())) {
      const changed = await vaccinations.change(id, change);
      expect(changed).toMatchObject({ id, ...change });
      expect(await vaccinations.get(id)).toEqual(changed);
    }
  });

  it('delete a vaccination, and do nothing if it does not exist', async () => {
    const { id } = await vaccinations.add(aNewVaccination());
    for (const known of [id, 404n]) await vaccinations.delete(known);
    expect((await vaccinations.list({ limit: 9 })).items).toEqual([]);
  });

  it('reject the id of a vaccination that does not exist', async () => {
    await expect(vaccinations.get(404n)).rejects.toThrow(VaccinationNotFound);
    await expect(vaccinations.change(404n, {})).rejects.toThrow(VaccinationNotFound);
  });

  it('record an event for each change', async () => {
    const heard = new Set<string>();
    for (const type of [VaccinationAdded, VaccinationChanged, VaccinationDeleted])
      recorded.events.subscribe(type, 'test', async ({ id }) => void heard.add(`${type.name} ${id}`));
    const { id } = await vaccinations.add(aNewVaccination());
    for (const change of vaccinationStepsTo(aNewVaccination())) await vaccinations.change(id, change);
    await vaccinations.delete(id);
    while ((await recorded.events.backlog()).length > 0) await recorded.deliver();
    expect([...heard]).toEqual([
      `VaccinationAdded ${id}`,
      `VaccinationChanged ${id}`,
      `VaccinationDeleted ${id}`,
    ]);
  });

  it('record no event for a change without effect', async () => {
    const heard: bigint[] = [];
    recorded.events.subscribe(VaccinationChanged, 'test', async ({ id }) => void heard.push(id));
    const { id } = await vaccinations.add(aNewVaccination());
    await vaccinations.change(id, {});
    await recorded.deliver();
    expect(heard).toEqual([]);
  });
});
