import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../validation/dto.decorators.js';
import type { SortKinds } from './sort-value.js';

/**
 * The field `sort` of the query of a list: one of the properties, or `id`, with `-` before it for descending order. The option
 * `sort` of the list names the same properties.
 */
export function SortField(properties: SortKinds): PropertyDecorator {
  const words = [...Object.keys(properties), 'id'].flatMap((property) => [property, `-${property}`]);
  const message = `$property must be one of ${words.join(', ')}`;
  return applyDecorators(
    MayBeAbsent(),
    IsIn(words, { message }),
    ApiProperty({
      enum: words,
      required: false,
      description:
        'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.',
      example: words[0],
    }),
  );
}
