import { PageQuery } from '../../../platform/http/lists/page.query.js';
import { EnumField, PureRules } from '../../../platform/http/validation/dto.decorators.js';
import { PET_STATUSES, type PetStatus } from '../../domain/pet-status.js';

/** The query parameters of the list of pets. */
@PureRules()
export class ListPetsQuery extends PageQuery {
  @EnumField(PET_STATUSES, {
    name: 'PetStatus',
    description: 'Returns only animals with this status.',
    example: 'available',
    optional: true,
  })
  status?: PetStatus;
}
