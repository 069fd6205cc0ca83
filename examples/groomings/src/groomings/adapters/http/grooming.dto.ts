import { ApiSchema } from '@nestjs/swagger';
import type { Int64 } from '../../../kernel/index.js';
import {
  IdField,
  InstantField,
  IntegerField,
  type ListOptions,
  PageQuery,
  ReadOnly,
  SortField,
} from '../../../platform/http/index.js';
import { MIN_GROOMING_MINUTES, MAX_GROOMING_MINUTES } from '../../domain/new-grooming.js';
import type { Grooming } from '../../domain/grooming.js';

const GROOMER_ID = { description: 'Identifier of the groomer.', example: 42 };
const STARTS_AT = {
  description: 'The `startsAt` of the grooming, RFC 3339, to the millisecond.',
  example: '2026-11-20T13:00:00.000Z',
};
const MINUTES = {
  description: 'The minutes of the grooming.',
  example: 15,
  min: MIN_GROOMING_MINUTES,
  max: MAX_GROOMING_MINUTES,
};

/** The orders and the ranges of the list of groomings. */
export const GROOMING_LIST = {
  sort: { startsAt: 'instant' },
  ranges: { startsAt: { from: 'startsAtFrom', before: 'startsAtBefore' } },
} satisfies ListOptions<ListGroomingsQuery>;

/** The query parameters of the list of groomings. */
export class ListGroomingsQuery extends PageQuery {
  @IdField(GROOMER_ID)
  groomerId!: Int64;

  @InstantField({
    description: 'Returns only groomings whose `startsAt` is this instant or later.',
    example: '2026-11-20T13:00:00.000Z',
    optional: true,
  })
  startsAtFrom?: Date;

  @InstantField({
    description: 'Returns only groomings whose `startsAt` is earlier than this instant.',
    example: '2026-11-20T13:00:00.000Z',
    optional: true,
  })
  startsAtBefore?: Date;

  @SortField(GROOMING_LIST.sort)
  sort?: string;
}

/** The body that adds a grooming. */
@ApiSchema({ name: 'NewGrooming' })
export class NewGroomingBody {
  @IdField(GROOMER_ID)
  groomerId!: Int64;

  @InstantField(STARTS_AT)
  startsAt!: Date;

  @IntegerField(MINUTES)
  minutes!: number;

  @ReadOnly() id?: never;
}

/** A grooming as it is returned. */
@ApiSchema({ name: 'Grooming' })
export class GroomingBody {
  @IdField({ description: 'Unique identifier assigned by the service on creation.', example: 1 })
  id!: Int64;

  @IdField(GROOMER_ID)
  groomerId!: Int64;

  @InstantField(STARTS_AT)
  startsAt!: Date;

  @IntegerField(MINUTES)
  minutes!: number;
}

export function toGroomingBody(grooming: Grooming): GroomingBody {
  return {
    id: grooming.id,
    groomerId: grooming.groomerId,
    startsAt: grooming.startsAt,
    minutes: grooming.minutes,
  };
}
