import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
} from 'class-validator';
import type { TextBounds } from '../../../kernel/text.js';
import {
  booleanOf,
  customRule,
  emptyItem,
  FromText,
  type Int64Bounds,
  IsInstant,
  IsInt64,
  IsInteger,
  IsText,
} from './own-rules.js';

/** The field may be absent, but not null. `@IsOptional` accepts both. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A field that a request must not send, not even with null. */
const absent = (reason: string): PropertyDecorator =>
  customRule(
    'isReadOnly',
    (value) => value === undefined,
    () => `${reason}; leave it out`,
  );

/** A field that the service assigns. */
export const ReadOnly = () => absent('is assigned by the service');

/** A field of a PATCH that clients set once, when they create the entity. */
export const Fixed = () => absent('cannot be changed');

/** The description of a field in the OpenAPI document. */
export interface FieldNotes<Example> {
  readonly description: string;
  /** Replaces `description` for agents, which do not send HTTP requests themselves. */
  readonly agentDescription?: string;
  readonly example: Example;
  /** The field may be left out. */
  readonly optional?: boolean;
  /** The field may be null or left out, as in a change where null clears the field. */
  readonly nullable?: boolean;
}

/** Combines rules with their part of the OpenAPI document. */
export function field<Notes extends FieldNotes<unknown>>(
  { optional = false, nullable = false, agentDescription, ...notes }: Notes,
  type: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const presence = nullable ? [IsOptional()] : optional ? [MayBeAbsent()] : [];
  const required = !optional && !nullable;
  return applyDecorators(
    ...presence,
    ...rules,
    ApiProperty({
      ...notes,
      ...type,
      ...(nullable && { nullable }),
      ...(agentDescription !== undefined && { 'x-agent-description': agentDescription }),
      required,
    } as ApiPropertyOptions),
  );
}

/** A field with a text for people. Use `@IsString()` for a text of any characters. */
export const TextField = (notes: FieldNotes<string> & TextBounds) =>
  field(notes, { type: 'string' }, IsText(notes));

const ANY_INT64 = 'The value may be any 64-bit integer.';
/** Most client generators turn this type into a double. */
const INT64_NOTE = `${ANY_INT64} It is a JSON number. \`JSON.parse\` of JavaScript rounds it beyond 2^53.`;

/** A field with a 64-bit integer, in bounds if there are any. It is a bigint in the DTO. */
export function Int64Field({ description, min, max, ...notes }: FieldNotes<number> & Int64Bounds) {
  const isAny = min === undefined && max === undefined;
  const [minimum, maximum] = [min, max].map((bound) => (bound === undefined ? undefined : Number(bound)));
  return field(
    isAny
      ? {
          description: `${description} ${INT64_NOTE}`,
          agentDescription: `${description} ${ANY_INT64}`,
          ...notes,
        }
      : { description, ...notes },
    { type: 'integer', format: 'int64', minimum, maximum },
    IsInt64({ min, max }),
  );
}

/** A field with an integer in bounds that a number holds. It is a number in the DTO. */
export const IntegerField = ({ min, max, ...notes }: FieldNotes<number> & { min: number; max: number }) =>
  field(notes, { type: 'integer', minimum: min, maximum: max }, IsInteger(min, max));

/** The schema of ids that the service assigns. A number of JavaScript holds them exactly. */
export const ID_SCHEMA = {
  type: 'integer' as const,
  format: 'int64',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
};

const OF_IDS = { min: ID_SCHEMA.minimum, max: ID_SCHEMA.maximum };

/** A field with an id that the service assigned. It is a bigint in the DTO. */
export const IdField = (notes: FieldNotes<number>) => field(notes, ID_SCHEMA, IsInt64(OF_IDS));

/** The maximum number of ids in a query. It is the maximum number of items of a page, too. */
const MAX_IDS = 100;

const IN_QUERY = Symbol('list in a query');

/** Reads the items of a list in a query. `?id=1,2`, `?id=1&id=2` and a mixture of both mean the same. */
const itemsInQuery = (): PropertyDecorator =>
  applyDecorators(
    Reflect.metadata(IN_QUERY, true),
    FromText((text) => text.split(',')),
  );

/** The keywords of the OpenAPI document for a list in a query that may be one text with commas. Empty for other fields. */
export const styleInQuery = (dto: Function, field: string): object =>
  Reflect.hasMetadata(IN_QUERY, dto.prototype as object, field) ? { style: 'form', explode: false } : {};

/** A field of a query with ids. It is an array in the DTO. */
export const IdsField = (notes: FieldNotes<readonly number[]>) =>
  field(
    notes,
    { type: 'array', items: ID_SCHEMA, minItems: 1, maxItems: MAX_IDS },
    ArrayMaxSize(MAX_IDS),
    IsInt64({ ...OF_IDS, each: true }),
    // class-transformer runs the last conversion first. So this conversion runs before the conversion of items.
    itemsInQuery(),
  );

/** A field with an instant. It is a Date in the DTO. */
export const InstantField = (notes: FieldNotes<string>) =>
  field(notes, { type: 'string', format: 'date-time' }, IsInstant());

const DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** A field with a calendar day, from the year 1000 on. It is a text in the DTO, such as '2026-11-20'. */
export function DayField(notes: FieldNotes<string>) {
  const message = '$property must be a calendar day, such as 2026-11-20';
  return field(
    notes,
    { type: 'string', format: 'date' },
    IsString(),
    Matches(DAY, { message }),
    IsISO8601({ strict: true }, { message }),
  );
}

/**
 * A field with some of a few words, each at most once. It is an array in a body and in the DTO, and a list in a query. `name` is the
 * name of the enumeration in the OpenAPI document.
 */
export function WordsField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<readonly string[]> & { name: string },
) {
  const message = ({ value }: { value: unknown }) =>
    `each value in $property must be one of ${words.join(', ')}${emptyItem(value)}`;
  return field(
    notes,
    { isArray: true, enum: [...words], enumName: name, uniqueItems: true, maxItems: words.length },
    IsArray(),
    ArrayMaxSize(words.length),
    ArrayUnique({ message: '$property must not have a word twice' }),
    IsIn(words, { each: true, message }),
    itemsInQuery(),
  );
}

/** A field with a boolean. */
export const BooleanField = (notes: FieldNotes<boolean>) =>
  field(notes, { type: 'boolean' }, FromText(booleanOf), IsBoolean());

/** A field with one of a few words. `name` is the name of the enumeration in the OpenAPI document. */
export function EnumField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<string> & { name: string },
) {
  const message = `$property must be one of ${words.join(', ')}`;
  return field(notes, { enum: [...words], enumName: name }, IsIn(words, { message }));
}
