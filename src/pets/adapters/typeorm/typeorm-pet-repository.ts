import type { Int64 } from '../../../kernel/int64.js';
import { Rows } from '../../../platform/database/rows.js';
import type { Sql } from '../../../platform/database/sql.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import type { Pet } from '../../domain/pet.js';
import { PetRepository, type PetSelection } from '../../ports/pet-repository.js';
import { petFrom, type PetRow, PETS, valuesOf } from './pet.row.js';

/** Keeps animals in the table `pets`, on SQLite and on MySQL with the same statements. */
export class TypeOrmPetRepository extends PetRepository {
  readonly #rows: Rows<PetRow>;

  constructor(sql: Sql) {
    super();
    this.#rows = new Rows(sql, PETS);
  }

  override add(pet: Pet): Promise<void> {
    return this.#rows.add(valuesOf(pet));
  }

  override addAll(pets: readonly Pet[]): Promise<void> {
    return this.#rows.addAll(pets.map(valuesOf));
  }

  override async find(id: Int64): Promise<Pet | undefined> {
    const row = await this.#rows.find(id);
    return row && petFrom(row);
  }

  override async list(selection: PetSelection): Promise<Pet[]> {
    return (await this.#rows.list(selection)).map(petFrom);
  }

  /** Compare and set on the status: a rival who was faster leaves nothing to replace, and the animal is looked at again. */
  override async change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet> {
    for (;;) {
      const pet = await this.find(id);
      if (!pet) throw new PetNotFound();
      const changed = change(pet);
      if (await this.#rows.replace(id, pet.status, valuesOf(changed))) return changed;
    }
  }
}
