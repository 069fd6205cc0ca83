import { EventType, type Int64 } from '../../kernel/index.js';
import type { PetStatus } from './pet-status.js';

/** A pet was added to the catalogue. */
export const PetAdded = new EventType<{ id: Int64; name: string; categoryId: Int64; status: PetStatus }>(
  'pet',
  'PetAdded',
);

/** The status of a pet changed. */
export const PetStatusChanged = new EventType<{ id: Int64; from: PetStatus; to: PetStatus }>(
  'pet',
  'PetStatusChanged',
);
