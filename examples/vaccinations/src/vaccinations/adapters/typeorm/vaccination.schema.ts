import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/index.js';
import { Vaccination } from '../../domain/vaccination.js';

/** Maps vaccinations to the table `vaccinations`. The indexes serve its lists. */
export const VaccinationSchema = new EntitySchema<Vaccination>({
  name: 'Vaccination',
  target: Vaccination,
  tableName: 'vaccinations',
  columns: {
    id: columns.int64({ primary: true }),
    petId: columns.int64({ name: 'pet_id' }),
    vaccine: columns.text(255),
    givenAt: columns.instant({ name: 'given_at' }),
    dueAt: columns.instant({ name: 'due_at', nullable: true }),
    state: columns.word(32),
    remindedAt: columns.instant({ name: 'reminded_at', nullable: true }),
  },
  indices: [
    { name: 'vaccinations_by_due_at', columns: ['dueAt'] },
    { name: 'vaccinations_by_pet_id', columns: ['petId', 'id'] },
    { name: 'vaccinations_by_pet_id_and_due_at', columns: ['petId', 'dueAt'] },
    { name: 'vaccinations_due_of_pet', columns: ['petId', 'state', 'dueAt'] },
    { name: 'vaccinations_by_state', columns: ['state', 'id'] },
    { name: 'vaccinations_by_state_and_due_at', columns: ['state', 'dueAt'] },
    { name: 'vaccinations_to_remind', columns: ['state', 'remindedAt', 'dueAt'] },
  ],
});
