import type { Events, Int64, Page, Position, Sequence } from '../../kernel/index.js';
import { NewPet, type NewPetInput } from '../domain/new-pet.js';
import { PetNotAvailable, PetNotFound } from '../domain/pet-errors.js';
import { PetAdded, PetStatusChanged } from '../domain/pet-events.js';
import type { PetStatus } from '../domain/pet-status.js';
import { Pet } from '../domain/pet.js';
import type { BulkPets } from '../ports/bulk-pets.js';
import type { PetLocks } from '../ports/pet-locks.js';
import type { PetReservations } from '../ports/pet-reservations.js';
import type { PetRepository, PetSelection } from '../ports/pet-repository.js';

/** The page size of `all`. */
const PAGE_SIZE = 1_000;

/** The catalogue of pets, with all its use cases. */
export class PetCatalog implements PetReservations, PetLocks, BulkPets {
  constructor(
    private readonly pets: PetRepository,
    private readonly ids: Sequence,
    private readonly events: Events,
  ) {}

  /** One page of pets. It is empty if nothing matches. */
  list(selection: PetSelection): Promise<Page<Pet>> {
    return this.pets.list(selection);
  }

  async *all(status?: PetStatus): AsyncGenerator<readonly Pet[]> {
    let after: Position | undefined;
    do {
      const page = await this.list({ filter: { status }, after, limit: PAGE_SIZE });
      yield page.items;
      after = page.next;
    } while (after !== undefined);
  }

  /** Adds a pet. Its id is assigned before it is stored, so that a retry cannot store it twice. */
  async add(input: NewPetInput): Promise<Pet> {
    const newPet = NewPet.from(input);
    const pet = Pet.create(await this.ids.next(), newPet);
    await this.events.record(PetAdded, async () => {
      await this.pets.add(pet);
      return payloadOf(pet);
    });
    return pet;
  }

  async create(newPets: readonly NewPet[]): Promise<Pet[]> {
    const ids = await this.ids.nextMany(newPets.length);
    return newPets.map((newPet, i) => Pet.create(ids[i]!, newPet));
  }

  async addAll(pets: readonly Pet[]): Promise<void> {
    await this.events.record(PetAdded, async () => {
      await this.pets.addAll(pets);
      return pets.map(payloadOf);
    });
  }

  /** @throws PetNotFound */
  async get(id: Int64): Promise<Pet> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFound();
    return pet;
  }

  async lock(id: Int64): Promise<PetStatus | undefined> {
    return (await this.pets.lock(id))?.status;
  }

  async reserve(id: Int64): Promise<void> {
    await this.#change(id, (pet) => pet.reserve()).catch((error: unknown) => {
      throw error instanceof PetNotFound ? new PetNotAvailable(id) : error;
    });
  }

  async release(id: Int64): Promise<void> {
    await this.#change(id, (pet) => pet.release());
  }

  async sell(id: Int64): Promise<void> {
    await this.#change(id, (pet) => pet.sell());
  }

  async #change(id: Int64, act: (pet: Pet) => Pet): Promise<void> {
    await this.events.record(PetStatusChanged, async () => {
      let from!: PetStatus;
      const { status: to } = await this.pets.change(id, (pet) => {
        from = pet.status;
        return act(pet);
      });
      return { id, from, to };
    });
  }
}

const payloadOf = ({ id, name, categoryId, status }: Pet) => ({ id, name, categoryId, status });
