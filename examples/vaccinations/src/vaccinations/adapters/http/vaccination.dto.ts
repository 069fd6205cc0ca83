import { ApiSchema } from '@nestjs/swagger';
import type { Int64 } from '../../../kernel/index.js';
import {
  changesOf,
  EnumField,
  IdField,
  InstantField,
  type ListOptions,
  PageQuery,
  ReadOnly,
  SortField,
  TextField,
} from '../../../platform/http/index.js';
import {
  MAX_VACCINATION_VACCINE,
  VACCINATION_STATES,
  type VaccinationState,
} from '../../domain/new-vaccination.js';
import type { Vaccination, VaccinationChange } from '../../domain/vaccination.js';

const PET_ID = { description: 'Identifier of the pet that the vaccination belongs to.', example: 42 };
const VACCINE = {
  description: `The vaccine of the vaccination, kept as it is: 1 to ${MAX_VACCINATION_VACCINE} code points, one of them visible.`,
  example: 'Vaccine one',
};
const VACCINE_LENGTH = { minLength: 1, maxLength: MAX_VACCINATION_VACCINE };
const GIVEN_AT = {
  description: 'The `givenAt` of the vaccination, RFC 3339, to the millisecond.',
  example: '2026-11-20T14:00:00.000Z',
};
const DUE_AT = {
  description: 'When it is due again, later than `givenAt`, RFC 3339, to the millisecond; may be absent.',
  example: '2026-11-20T15:00:00.000Z',
};
const STATE = { name: 'VaccinationState', description: 'The state of the vaccination.', example: 'open' };

/** The orders and the ranges of the list of vaccinations. */
export const VACCINATION_LIST = {
  sort: { dueAt: 'instant' },
  ranges: { dueAt: { from: 'dueAtFrom', before: 'dueAtBefore' } },
} satisfies ListOptions<ListVaccinationsQuery>;

/** The query parameters of the list of vaccinations. */
export class ListVaccinationsQuery extends PageQuery {
  @IdField({ description: 'Returns only vaccinations of this pet.', example: 42, optional: true })
  petId?: Int64;

  @EnumField(VACCINATION_STATES, {
    name: 'VaccinationState',
    description: 'Returns only vaccinations with this state.',
    example: 'open',
    optional: true,
  })
  state?: VaccinationState;

  @InstantField({
    description: 'Returns only vaccinations whose `dueAt` is this instant or later.',
    example: '2026-11-20T15:00:00.000Z',
    optional: true,
  })
  dueAtFrom?: Date;

  @InstantField({
    description: 'Returns only vaccinations whose `dueAt` is earlier than this instant.',
    example: '2026-11-20T15:00:00.000Z',
    optional: true,
  })
  dueAtBefore?: Date;

  @SortField(VACCINATION_LIST.sort)
  sort?: string;
}

/** The body that adds a vaccination. */
@ApiSchema({ name: 'NewVaccination' })
export class NewVaccinationBody {
  @IdField(PET_ID)
  petId!: Int64;

  @TextField({ ...VACCINE, ...VACCINE_LENGTH })
  vaccine!: string;

  @InstantField(GIVEN_AT)
  givenAt!: Date;

  @InstantField({ ...DUE_AT, optional: true })
  dueAt?: Date;

  @EnumField(VACCINATION_STATES, STATE)
  state!: VaccinationState;

  @ReadOnly() id?: never;
}

/** The merge patch that changes a vaccination. */
@ApiSchema({ name: 'VaccinationChange' })
export class VaccinationChangeBody {
  @IdField({ ...PET_ID, optional: true })
  petId?: Int64;

  @TextField({ ...VACCINE, ...VACCINE_LENGTH, optional: true })
  vaccine?: string;

  @InstantField({ ...GIVEN_AT, optional: true })
  givenAt?: Date;

  @InstantField({ ...DUE_AT, nullable: true })
  dueAt?: Date | null;

  @EnumField(VACCINATION_STATES, { ...STATE, optional: true })
  state?: VaccinationState;

  @ReadOnly() id?: never;
}

/** A vaccination as it is returned. */
@ApiSchema({ name: 'Vaccination' })
export class VaccinationBody {
  @IdField({ description: 'Unique identifier assigned by the service on creation.', example: 1 })
  id!: Int64;

  @IdField(PET_ID)
  petId!: Int64;

  @TextField(VACCINE)
  vaccine!: string;

  @InstantField(GIVEN_AT)
  givenAt!: Date;

  @InstantField({ ...DUE_AT, optional: true })
  dueAt?: Date;

  @EnumField(VACCINATION_STATES, STATE)
  state!: VaccinationState;
}

export function toVaccinationChange(body: VaccinationChangeBody): VaccinationChange {
  return changesOf(body);
}

export function toVaccinationBody(vaccination: Vaccination): VaccinationBody {
  return {
    id: vaccination.id,
    petId: vaccination.petId,
    vaccine: vaccination.vaccine,
    givenAt: vaccination.givenAt,
    dueAt: vaccination.dueAt,
    state: vaccination.state,
  };
}
