import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IsOpaque, MayBeAbsent } from '../validation/rules.js';

const SMALLEST = 1;
const LARGEST = 100;
const USUAL = 20;
const RANGE = `from ${SMALLEST} to ${LARGEST}`;

/** The query parameters of every list. */
export class PageQuery {
  @MayBeAbsent()
  @IsInt({ message: `$property must be a whole number ${RANGE}, given once` })
  @Min(SMALLEST, { message: `$property must be ${RANGE}` })
  @Max(LARGEST, { message: `$property must be ${RANGE}` })
  @ApiProperty({
    type: 'integer',
    minimum: SMALLEST,
    maximum: LARGEST,
    default: USUAL,
    required: false,
    description: 'The largest number of items to return.',
    example: USUAL,
  })
  limit?: number;

  @MayBeAbsent()
  @IsOpaque()
  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Where the page begins: take it from the `Link` header of the page before, unchanged.',
  })
  cursor?: string;

  get size(): number {
    return this.limit ?? USUAL;
  }
}
