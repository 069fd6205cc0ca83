import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/index.js';
import { Pet } from '../../domain/pet.js';

/** Maps pets to the table `pets`. The index serves lists by status, newest first. */
export const PetSchema = new EntitySchema<Pet>({
  name: 'Pet',
  target: Pet,
  tableName: 'pets',
  columns: {
    id: columns.int64({ primary: true }),
    name: columns.text(255),
    categoryId: columns.int64({ name: 'category_id' }),
    status: columns.word(16),
  },
  indices: [{ name: 'pets_by_status', columns: ['status', 'id'] }],
});
