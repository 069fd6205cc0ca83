import type { SqlValue } from '../../../platform/database/session.js';
import { Table } from '../../../platform/database/table.js';
import { Pet } from '../../domain/pet.js';
import type { PetStatus } from '../../domain/pet-status.js';

/** A row of the table `pets`; integers in whichever type the driver reads them exactly. */
export interface PetRow {
  readonly id: bigint | string | number;
  readonly name: string;
  readonly category_id: bigint | string | number;
  readonly status: PetStatus;
}

/** The columns of `PetRow`, in the order of `valuesOf`. */
export const PETS = new Table('pets', ['id', 'name', 'category_id', 'status']);

export function petFrom(row: PetRow): Pet {
  return Pet.restore({
    id: BigInt(row.id),
    name: row.name,
    categoryId: BigInt(row.category_id),
    status: row.status,
  });
}

export function valuesOf(pet: Pet): SqlValue[] {
  return [pet.id, pet.name, pet.categoryId, pet.status];
}
