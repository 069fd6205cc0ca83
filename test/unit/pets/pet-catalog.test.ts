import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/domain-error.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { PetNotFound, InvalidPetTransition, PetNotAvailable } from '../../../src/pets/domain/pet-errors.js';
import type { Pet } from '../../../src/pets/domain/pet.js';
import { PetAdded, PetStatusChanged } from '../../../src/pets/domain/pet-events.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { memoryEvents } from '../../support/events.js';
import { aPet, aNewPetInput } from '../../support/pet-builder.js';
import { PET_STATUSES, type PetStatus } from '../../../src/pets/domain/pet-status.js';

const emptyCatalog = () =>
  new PetCatalog(new MemoryPetRepository(), new MemorySequence(), memoryEvents().events);

async function catalogOf(count: number): Promise<PetCatalog> {
  const catalog = emptyCatalog();
  for (let i = 0; i < count; i++)
    await catalog.add(aNewPetInput({ status: i % 3 === 0 ? 'sold' : 'available' }));
  return catalog;
}

describe('adding a pet', () => {
  it('returns the pet as it was stored', async () => {
    const catalog = emptyCatalog();
    const pet = await catalog.add(aNewPetInput());
    expect(pet).toEqual(aPet({ ...aNewPetInput(), id: 1n, status: 'available' }));
    expect(await catalog.get(1n)).toEqual(pet);
  });

  it('stores nothing, and uses no id, when the input is rejected', async () => {
    const catalog = emptyCatalog();
    await expect(catalog.add(aNewPetInput({ name: '' }))).rejects.toThrow(InvalidInput);
    expect((await catalog.list({ limit: 9 })).items).toEqual([]);
    expect((await catalog.add(aNewPetInput())).id).toBe(1n);
  });
});

describe('finding one pet', () => {
  it('fails when no pet has the id', async () => {
    await expect(emptyCatalog().get(404n)).rejects.toThrow(PetNotFound);
  });
});

describe('all pets', () => {
  it.each([
    [undefined, [1_000, 501]],
    ['sold', [501]],
    ['pending', [0]],
  ] as const)('of the status %s are returned in pages of a thousand', async (status, sizes) => {
    const pages: (readonly Pet[])[] = [];
    for await (const page of (await catalogOf(1_501)).all(status)) pages.push(page);
    expect(pages.map(({ length }) => length)).toEqual(sizes);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(pages.flat().length);
    if (status) expect(pages.flat().every((pet) => pet.status === status)).toBe(true);
  });
});

describe('locking a pet', () => {
  it('returns its status, and nothing if the pet does not exist', async () => {
    const catalog = await catalogOf(1);
    expect([await catalog.lock(1n), await catalog.lock(404n)]).toEqual(['sold', undefined]);
  });
});

describe('recording events', () => {
  it('happens for each new pet and each change of a status, but not for rejected changes', async () => {
    const units = new MemoryUnitOfWork();
    const { events, deliver } = memoryEvents(units);
    const catalog = new PetCatalog(new MemoryPetRepository(units), new MemorySequence(), events);
    const recorded: unknown[] = [];
    const listen = async (payload: object) => void recorded.push(payload);
    events.subscribe(PetAdded, 'listener', listen);
    events.subscribe(PetStatusChanged, 'listener', listen);

    const { id } = await catalog.add(aNewPetInput());
    await catalog.reserve(id);
    await expect(catalog.reserve(id)).rejects.toThrow();
    await catalog.release(id);
    await catalog.sell(id);
    await deliver();
    expect(recorded).toEqual([
      { id, name: 'Bello', categoryId: 93n, status: 'available' },
      { id, from: 'available', to: 'pending' },
      { id, from: 'pending', to: 'available' },
      { id, from: 'available', to: 'sold' },
    ]);
  });
});

const available = aPet({ status: 'available' });
const sold = aPet({ status: 'sold' });

describe('a pet of the catalogue', () => {
  it('is loaded as it was stored, even if the policy has changed since', () => {
    expect(aPet({ name: '\u0000' }).name).toBe('\u0000');
  });

  it.each<
    [
      'reserve' | 'release' | 'sell',
      to: PetStatus,
      from: PetStatus[],
      refusal: typeof PetNotAvailable | typeof InvalidPetTransition,
    ]
  >([
    ['reserve', 'pending', ['available'], PetNotAvailable],
    ['release', 'available', ['pending'], InvalidPetTransition],
    ['sell', 'sold', ['available', 'pending'], InvalidPetTransition],
  ])('can %s, and becomes %s, if its status is one of %j', (act, to, from, refusal) => {
    for (const status of PET_STATUSES) {
      const change = () => aPet({ status })[act]();
      if (from.includes(status)) expect(change()).toEqual(aPet({ status: to }));
      else expect(change).toThrow(refusal);
    }
  });

  it('does not change itself, because each method returns a new pet', () => {
    available.reserve();
    expect(available.status).toBe('available');
  });

  it('names the pet and the reason in the error', () => {
    expect(() => sold.reserve()).toThrow('Animal 4211 is sold, not available.');
    expect(() => sold.release()).toThrow('Animal 4211 is sold and cannot become available.');
  });
});
