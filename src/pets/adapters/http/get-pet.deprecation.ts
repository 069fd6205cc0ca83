import { cursorAfter, type Deprecation } from '../../../platform/http/index.js';
import type { PetBody } from './pet.dto.js';

/** The end of `getPet`. Its successor is a list: the list that contains the pet that was found, or the list of all pets. */
export const GET_PET: Deprecation = {
  since: '2026-11-20',
  sunset: '2030-12-05',
  successor: (answer) => (answer ? listOfOne(answer as PetBody) : { path: '/pets' }),
};

/** The list that contains only this pet, as long as the status of the pet does not change. */
function listOfOne({ id, status }: PetBody) {
  const cursor = cursorAfter('/pets', { status }, id + 1n);
  return { path: '/pets', parameters: { status, limit: 1, cursor } };
}
