import { EventKind } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import type { PetStatus } from './pet-status.js';

/** An animal came into the catalogue. */
export const PetAdded = new EventKind<{ id: Int64; name: string; categoryId: Int64; status: PetStatus }>(
  'pet',
  'PetAdded',
);

/** An animal of the catalogue went from one status to another. */
export const PetStatusChanged = new EventKind<{ id: Int64; from: PetStatus; to: PetStatus }>(
  'pet',
  'PetStatusChanged',
);
