import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt64, IsOneOf, IsText, Optional, Required } from './field-rules.js';

/** What the document says of a field besides its type. */
interface FieldNotes<Example> {
  readonly description: string;
  readonly example: Example;
  readonly optional?: boolean;
}

const presence = (optional = false) => (optional ? Optional() : Required());

/** A field with text in it. The lengths are for the document; what a good text is, the domain says. */
export function TextField(
  notes: FieldNotes<string> & { minLength?: number; maxLength?: number },
): PropertyDecorator {
  const { optional, ...documented } = notes;
  return applyDecorators(
    presence(optional),
    IsText(),
    ApiProperty({ ...documented, type: 'string', required: !optional }),
  );
}

/** A field with a 64-bit integer: number or bigint in a DTO, whichever is exact. */
export function Int64Field(notes: FieldNotes<number>): PropertyDecorator {
  const { optional, ...documented } = notes;
  return applyDecorators(
    presence(optional),
    IsInt64(),
    ApiProperty({ ...documented, type: 'integer', format: 'int64', required: !optional }),
  );
}

/** A field with one of a few words; `name` is the word list's own name in the document. */
export function WordField(
  words: readonly string[],
  notes: FieldNotes<string> & { name: string },
): PropertyDecorator {
  const { optional, name, ...documented } = notes;
  return applyDecorators(
    presence(optional),
    IsOneOf(words),
    ApiProperty({ ...documented, enum: [...words], enumName: name, required: !optional }),
  );
}
