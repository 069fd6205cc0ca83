import { EventType, type Int64 } from '../../kernel/index.js';
import type { Vaccination } from './vaccination.js';

/** The payload of events of a vaccination. Names and types are stored, so they never change; new fields must be optional. */
export const payloadOf = ({ id, petId, vaccine, givenAt, dueAt, state }: Vaccination) => ({
  id,
  petId,
  vaccine,
  givenAt,
  dueAt,
  state,
});

type VaccinationPayload = ReturnType<typeof payloadOf>;

/** A vaccination was added. */
export const VaccinationAdded = new EventType<VaccinationPayload>('vaccination', 'VaccinationAdded');

/** A vaccination was changed; carries its new state. */
export const VaccinationChanged = new EventType<VaccinationPayload>('vaccination', 'VaccinationChanged');

/** A vaccination was deleted; carries its last state. */
export const VaccinationDeleted = new EventType<VaccinationPayload>('vaccination', 'VaccinationDeleted');

/** A vaccination is due soon. */
export const VaccinationDue = new EventType<{ id: Int64; petId: Int64; vaccine: string; dueAt?: Date }>(
  'vaccination',
  'VaccinationDue',
);
