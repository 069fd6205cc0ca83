import type { Int64 } from '../../../kernel/int64.js';
import { newestFirst } from '../../../platform/database/newest-first.js';
import type { Sql } from '../../../platform/database/sql.js';
import { PetNotFound } from '../../domain/pet-errors.js';
import type { Pet } from '../../domain/pet.js';
import { PetRepository, type PetSelection } from '../../ports/pet-repository.js';
import { PET_COLUMNS, petFrom, type PetRow, valuesOf } from './pet.row.js';

/** Keeps animals in the table `pets`, on SQLite and on MySQL with the same statements. */
export class TypeOrmPetRepository extends PetRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async add(pet: Pet): Promise<void> {
    await this.sql.change(`INSERT INTO pets (${PET_COLUMNS}) VALUES (?, ?, ?, ?)`, valuesOf(pet));
  }

  override async find(id: Int64): Promise<Pet | undefined> {
    const [row] = await this.sql.rows<PetRow>(`SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`, [id]);
    return row && petFrom(row);
  }

  override async list(selection: PetSelection): Promise<Pet[]> {
    const rows = await this.sql.rows<PetRow>(...newestFirst('pets', PET_COLUMNS, selection));
    return rows.map(petFrom);
  }

  /** Compare and set on the status: a rival who was faster leaves no row to update, and the animal is looked at again. */
  override async change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet> {
    for (;;) {
      const pet = await this.find(id);
      if (!pet) throw new PetNotFound();
      const changed = change(pet);
      const moved = await this.sql.change(
        'UPDATE pets SET name = ?, category_id = ?, status = ? WHERE id = ? AND status = ?',
        [changed.name, changed.categoryId, changed.status, id, pet.status],
      );
      if (moved === 1) return changed;
    }
  }
}
