import { EventType, type Int64 } from '../../kernel/index.js';

/** A first grooming is offered for a pet that is new in the catalogue. */
export const GroomingOffered = new EventType<{ id: Int64; name: string }>('pet', 'GroomingOffered');
