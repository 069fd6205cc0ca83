import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/index.js';
import { Grooming } from '../../domain/grooming.js';

/** Maps groomings to the table `groomings`. The indexes serve its lists: by each filter, in each order. */
export const GroomingSchema = new EntitySchema<Grooming>({
  name: 'Grooming',
  target: Grooming,
  tableName: 'groomings',
  columns: {
    id: columns.int64({ primary: true }),
    groomerId: columns.int64({ name: 'groomer_id' }),
    startsAt: columns.instant({ name: 'starts_at' }),
    minutes: columns.number({ type: 'int' }),
  },
  indices: [
    { name: 'groomings_by_groomer_id', columns: ['groomerId', 'id'] },
    { name: 'groomings_by_groomer_id_and_starts_at', columns: ['groomerId', 'startsAt'] },
  ],
});
