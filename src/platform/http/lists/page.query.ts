import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { field, MayBeAbsent } from '../validation/dto.decorators.js';
import { IsInteger } from '../validation/own-rules.js';

const MIN_LIMIT = 1;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;
const RANGE = `from ${MIN_LIMIT} to ${MAX_LIMIT}`;

/** The query parameters of every list. */
export class PageQuery {
  @field(
    {
      description: `The largest number of items to return, ${RANGE}. The default is ${DEFAULT_LIMIT}.`,
      example: DEFAULT_LIMIT,
      optional: true,
    },
    { type: 'integer', format: 'int32', minimum: MIN_LIMIT, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    IsInteger(MIN_LIMIT, MAX_LIMIT, `must be a whole number ${RANGE}, given once`),
  )
  limit?: number;

  @MayBeAbsent()
  @IsString()
  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'Where the page begins. Take the cursor unchanged from the `Link` header of the previous page. If left out, the list begins at its start.',
    'x-agent-description':
      'Where the page begins: the cursor that the previous page names, unchanged, with the same filters. If left out, the list begins at its start.',
  } as ApiPropertyOptions)
  cursor?: string;
}
