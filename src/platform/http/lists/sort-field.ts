import { IsIn } from 'class-validator';
import { field } from '../validation/dto.decorators.js';
import type { SortKinds } from './sort-value.js';

/**
 * The field `sort` of the query of a list: one of the properties, or `id`, with `-` before it for descending order. The option
 * `sort` of the list names the same properties.
 */
export function SortField(properties: SortKinds): PropertyDecorator {
  const words = [...Object.keys(properties), 'id'].flatMap((property) => [property, `-${property}`]);
  const message = `$property must be one of ${words.join(', ')}`;
  const description =
    'What the list is sorted by, with `-` in descending order; `-id`, newest first, if left out.';
  const notes = { description, example: words[0], optional: true };
  return field(notes, { enum: words }, IsIn(words, { message }));
}
