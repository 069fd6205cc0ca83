import { Before, From, SortField } from '../../../platform/http/lists/listing.js';
import { PageQuery } from '../../../platform/http/lists/page.query.js';
import {
  EnumField,
  InstantField,
  Int64Field,
  PureRules,
} from '../../../platform/http/validation/dto.decorators.js';
import { VACCINATION_STATES, type VaccinationState } from '../../domain/new-vaccination.js';

/** The query parameters of the list of vaccinations. */
@PureRules()
export class ListVaccinationsQuery extends PageQuery {
  @Int64Field({ description: 'Returns only vaccinations of this pet.', example: 42, optional: true })
  petId?: bigint;

  @EnumField(VACCINATION_STATES, {
    name: 'VaccinationState',
    description: 'Returns only vaccinations with this state.',
    example: 'open',
    optional: true,
  })
  state?: VaccinationState;

  @From('dueAt')
  @InstantField({
    description: 'Returns only vaccinations whose `dueAt` is this instant or later.',
    example: '2026-11-23T12:00:00.000Z',
    optional: true,
  })
  dueAtFrom?: Date;

  @Before('dueAt')
  @InstantField({
    description: 'Returns only vaccinations whose `dueAt` is earlier than this instant.',
    example: '2027-11-23T12:00:00.000Z',
    optional: true,
  })
  dueAtBefore?: Date;

  @SortField({ dueAt: 'instant' })
  sort?: string;
}
