import { PageQuery } from '../../../platform/http/paging/page.query.js';
import { WordField } from '../../../platform/http/validation/fields.js';
import { PET_STATUSES, type PetStatus } from '../../domain/pet-status.js';

/** The query parameters of the list of animals. */
export class ListPetsQuery extends PageQuery {
  @WordField(PET_STATUSES, {
    name: 'PetStatus',
    description: 'Returns only animals with this status.',
    example: 'available',
    optional: true,
  })
  status?: PetStatus;
}
