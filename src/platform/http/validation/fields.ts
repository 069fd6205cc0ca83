import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { IsInt64, MayBeAbsent } from './rules.js';

/** What the document says of a field besides its type. */
interface FieldNotes<Example> {
  readonly description: string;
  readonly example: Example;
  /** May be left out. */
  readonly optional?: boolean;
  /** May be null, and then it may be left out as well: for a change, where null clears the field. */
  readonly nullable?: boolean;
}

const without: PropertyDecorator = () => {};

const presence = ({ optional, nullable }: FieldNotes<unknown>) =>
  nullable ? IsOptional() : optional ? MayBeAbsent() : without;

/** A rule and its part of the document, from the same line. */
function field<Notes extends FieldNotes<unknown>>(
  notes: Notes,
  type: { type: 'string' | 'integer'; format?: string } | { enum: string[]; enumName: string },
  rule: PropertyDecorator,
): PropertyDecorator {
  const { optional, nullable, ...documented } = notes;
  const required = !optional && !nullable;
  return applyDecorators(
    presence(notes),
    rule,
    ApiProperty({ ...documented, ...type, ...(nullable && { nullable }), required }),
  );
}

/** A field with text in it. The lengths are for the document; what a good text is, the domain says. */
export const TextField = (notes: FieldNotes<string> & { minLength?: number; maxLength?: number }) =>
  field(notes, { type: 'string' }, IsString());

/** A field with a 64-bit integer: number or bigint in a DTO, whichever is exact. */
export const Int64Field = (notes: FieldNotes<number>) =>
  field(notes, { type: 'integer', format: 'int64' }, IsInt64());

/** A field with one of a few words; `name` is the word list's own name in the document. */
export function EnumField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<string> & { name: string },
) {
  const message = `$property must be one of ${words.join(', ')}`;
  return field(notes, { enum: [...words], enumName: name }, IsIn(words, { message }));
}
