import type { Events } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import { type Page, pageOf } from '../../kernel/page.js';
import type { Sequence } from '../../kernel/sequence.js';
import { NewPet, type PetWish } from '../domain/new-pet.js';
import { PetNotAvailable, PetNotFound } from '../domain/pet-errors.js';
import { PetAdded, PetStatusChanged } from '../domain/pet-events.js';
import type { PetStatus } from '../domain/pet-status.js';
import { Pet } from '../domain/pet.js';
import { PetReservations } from '../ports/pet-reservations.js';
import type { PetRepository, PetSelection } from '../ports/pet-repository.js';

/** So many animals are read together by who wants them all. */
const AT_ONCE = 1_000;

/** The catalogue of animals: everything a client can ask of it. */
export class PetCatalog extends PetReservations {
  constructor(
    private readonly pets: PetRepository,
    private readonly ids: Sequence,
    private readonly events: Events,
  ) {
    super();
  }

  /** One page of animals, newest first; empty when nothing matches. */
  async list(selection: PetSelection): Promise<Page<Pet>> {
    const found = await this.pets.list({ ...selection, limit: selection.limit + 1 });
    return pageOf(found, selection.limit);
  }

  /** Every animal in pages, newest first: those that are there when it begins, as they are when their page comes. */
  async *all(status?: PetStatus): AsyncGenerator<readonly Pet[]> {
    let before: Int64 | undefined;
    do {
      const page = await this.list({ status, before, limit: AT_ONCE });
      yield page.items;
      before = page.next;
    } while (before !== undefined);
  }

  /** Adds an animal. Its id is drawn before it is stored, so that storing can be tried again without a twin. */
  async add(wish: PetWish): Promise<Pet> {
    const newPet = NewPet.from(wish);
    const pet = Pet.admit(await this.ids.next(), newPet);
    await this.events.tell(PetAdded, async () => {
      await this.pets.add(pet);
      const { id, name, categoryId, status } = pet;
      return { id, name, categoryId, status };
    });
    return pet;
  }

  /** @throws PetNotFound */
  async get(id: Int64): Promise<Pet> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFound();
    return pet;
  }

  override async reserve(id: Int64): Promise<void> {
    if (!(await this.pets.find(id))) throw new PetNotAvailable(id);
    await this.#move(id, (pet) => pet.reserve());
  }

  override async release(id: Int64): Promise<void> {
    await this.#move(id, (pet) => pet.release());
  }

  override async sell(id: Int64): Promise<void> {
    await this.#move(id, (pet) => pet.sell());
  }

  async #move(id: Int64, act: (pet: Pet) => Pet): Promise<void> {
    await this.events.tell(PetStatusChanged, async () => {
      let from!: PetStatus;
      const { status: to } = await this.pets.change(id, (pet) => {
        from = pet.status;
        return act(pet);
      });
      return { id, from, to };
    });
  }
}
