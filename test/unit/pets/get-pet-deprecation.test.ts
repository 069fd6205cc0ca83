import { describe, expect, it } from 'vitest';
import { GET_PET } from '../../../src/pets/adapters/http/get-pet.deprecation.js';
import { toPetBody } from '../../../src/pets/adapters/http/pet.dto.js';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { PET_STATUSES } from '../../../src/pets/domain/pet-status.js';
import { decodeCursor } from '../../support/rooms/http.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { memoryEvents } from '../../support/events.js';
import { aNewPetInput } from '../../support/pet-builder.js';

describe('the successor link of getPet', () => {
  it('leads to the list of all pets if no pet was found', () => {
    expect(GET_PET.successor()).toEqual({ path: '/pets' });
  });

  it.each(PET_STATUSES)('leads to the list with only this pet, when the pet is %s', async (status) => {
    const catalog = new PetCatalog(new MemoryPetRepository(), new MemorySequence(), memoryEvents().events);
    const [, wanted] = [
      await catalog.add(aNewPetInput({ status })),
      await catalog.add(aNewPetInput({ status })),
      await catalog.add(aNewPetInput({ status })),
    ];
    const { path, parameters } = GET_PET.successor(toPetBody(wanted));
    const after = decodeCursor(String(parameters?.['cursor']), { list: path, filter: `status=${status}` });
    expect(parameters).toMatchObject({ status, limit: 1 });
    expect((await catalog.list({ filter: { status }, after, limit: 1 })).items).toEqual([wanted]);
  });
});
