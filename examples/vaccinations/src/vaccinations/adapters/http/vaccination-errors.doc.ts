import type { ErrorEntry } from '../../../platform/http/errors/error-codes.js';

/** Documents the errors of `domain/vaccination-errors.ts`. */
export const VACCINATION_ERRORS: Readonly<Record<string, ErrorEntry>> = {
  vaccination_not_found: {
    status: 404,
    meaning: 'No vaccination has this id.',
    remedy: 'Check the id, or list the vaccinations to find it.',
  },
  unknown_pet: {
    status: 409,
    meaning: 'No animal has the id that `petId` names.',
    remedy: 'Correct it; list the animals to find it.',
  },
};
