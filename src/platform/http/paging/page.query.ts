import { ApiProperty } from '@nestjs/swagger';
import { IsText, IsWholeNumber, Optional } from '../validation/field-rules.js';

const SMALLEST = 1;
const LARGEST = 100;
const USUAL = 20;

/** The query parameters of every list. */
export class PageQuery {
  @Optional()
  @IsWholeNumber(SMALLEST, LARGEST)
  @ApiProperty({
    type: 'integer',
    minimum: SMALLEST,
    maximum: LARGEST,
    default: USUAL,
    required: false,
    description: 'The largest number of items to return.',
    example: USUAL,
  })
  limit?: string;

  @Optional()
  @IsText()
  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Where the page begins: take it from the `Link` header of the page before, unchanged.',
  })
  cursor?: string;

  get size(): number {
    return Number(this.limit ?? USUAL);
  }
}
