import type { Int64 } from '../../kernel/int64.js';
import { type Page, pageOf } from '../../kernel/page.js';
import type { Sequence } from '../../kernel/sequence.js';
import { NewPet, type PetWish } from '../domain/new-pet.js';
import { PetNotFound } from '../domain/pet-errors.js';
import { Pet } from '../domain/pet.js';
import type { PetRepository, PetSelection } from '../ports/pet-repository.js';

/** The catalogue of animals: everything a client can ask of it. */
export class PetCatalog {
  constructor(
    private readonly pets: PetRepository,
    private readonly ids: Sequence,
  ) {}

  /** One page of animals, newest first; empty when nothing matches. */
  async list(selection: PetSelection): Promise<Page<Pet>> {
    const found = await this.pets.list({ ...selection, limit: selection.limit + 1 });
    return pageOf(found, selection.limit);
  }

  /** Adds an animal. Its id is drawn before it is stored, so that storing can be tried again without a twin. */
  async add(wish: PetWish): Promise<Pet> {
    const newPet = NewPet.from(wish);
    const pet = Pet.admit(await this.ids.next(), newPet);
    await this.pets.add(pet);
    return pet;
  }

  /** @throws PetNotFound */
  async get(id: Int64): Promise<Pet> {
    const pet = await this.pets.find(id);
    if (!pet) throw new PetNotFound();
    return pet;
  }
}
