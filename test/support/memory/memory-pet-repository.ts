import type { Int64 } from '../../../src/kernel/int64.js';
import type { Page } from '../../../src/kernel/page.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import { PetNotFound } from '../../../src/pets/domain/pet-errors.js';
import type { Pet } from '../../../src/pets/domain/pet.js';
import { PetRepository, type PetSelection } from '../../../src/pets/ports/pet-repository.js';

/** Keeps pets in memory, for tests that need no database. */
export class MemoryPetRepository extends PetRepository {
  readonly #pets: Map<Int64, Pet>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#pets = units.table();
  }

  override add(pet: Pet): Promise<void> {
    return this.units.run(async () => {
      if (this.#pets.has(pet.id)) throw new Error(`Id ${pet.id} is taken.`);
      this.#pets.set(pet.id, pet);
    });
  }

  override addAll(pets: readonly Pet[]): Promise<void> {
    return this.units.run(async () => {
      for (const pet of pets) await this.add(pet);
    });
  }

  override find(id: Int64): Promise<Pet | undefined> {
    return this.units.run(async () => this.#pets.get(id));
  }

  override lock(id: Int64): Promise<Pet | undefined> {
    return this.find(id);
  }

  override list(selection: PetSelection): Promise<Page<Pet>> {
    return this.units.run(async () => selectedPage(this.#pets.values(), selection));
  }

  override change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet> {
    return this.units.run(async () => {
      const pet = this.#pets.get(id);
      if (!pet) throw new PetNotFound();
      const changed = change(pet);
      this.#pets.set(id, changed);
      return changed;
    });
  }
}
