import type { ErrorEntry } from '../../../platform/http/errors/error-codes.js';

/** Documents the errors of `domain/pet-errors.ts` that clients can meet. */
export const PET_ERRORS: Readonly<Record<string, ErrorEntry>> = {
  pet_not_found: {
    status: 404,
    meaning: 'No animal has this id.',
    remedy: 'Check the id, or list the animals to find it.',
  },
};
