import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  buildMessage,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  isString,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
import { instantProblem, parseInstant } from './instant.js';

/** The parameters of a query or a path, whose values are texts. */
export class ParameterTexts {
  constructor(parameters: object) {
    Object.assign(this, parameters);
  }
}

/**
 * Reads the text of a parameter, or each of several; in a body a text stays a text. `otherwise` reads all other values. What is
 * undefined then stays what it was.
 */
export const FromText = (
  read: (text: string) => unknown,
  otherwise: (value: unknown) => unknown = () => undefined,
): PropertyDecorator =>
  Transform(({ value, obj }: { value: unknown; obj: unknown }) => {
    const isParameter = obj instanceof ParameterTexts;
    const one = (item: unknown) => (isParameter && isString(item) ? read(item) : otherwise(item)) ?? item;
    return Array.isArray(value) ? value.map(one) : one(value);
  });

/** Only as the service writes it: no sign but `-`, no leading zero, no exponent. */
export const integerOf = (text: string) => (/^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : undefined);
export const booleanOf = (text: string) => ({ true: true, false: false })[text];

/** An integer of any size. JSON numbers beyond the range of a double are Infinity. */
export const isInteger = (value: unknown): boolean =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

/** A rule of ours. `clauseOf` says what a value must be. */
const rule = (
  name: string,
  validate: (value: unknown) => boolean,
  clauseOf: (value: unknown) => string,
  options?: ValidationOptions,
): PropertyDecorator => {
  const message = (each: string, given?: ValidationArguments) => `${each}$property ${clauseOf(given!.value)}`;
  return ValidateBy(
    { name, validator: { validate, defaultMessage: buildMessage(message, options) } },
    options,
  );
};

interface Int64Bounds {
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

/** A 64-bit integer, which is a bigint in the DTO. */
export function IsInt64({
  min = Int64.MIN,
  max = Int64.MAX,
  ...options
}: Int64Bounds & ValidationOptions = {}): PropertyDecorator {
  const isValid = (value: unknown) => typeof value === 'bigint' && value >= min && value <= max;
  const areIntegers = (value: unknown) => [value].flat(options.each ? 1 : 0).every(isInteger);
  const clauseOf = (value: unknown) =>
    `must be ${areIntegers(value) ? `from ${min} to ${max}` : 'an integer'}`;
  return applyDecorators(
    rule('isInt64', isValid, clauseOf, options),
    FromText(Int64.parse, (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : undefined)),
  );
}

/** An instant: RFC 3339 text in JSON and in a query, a Date in the DTO, exact to the millisecond. */
export const IsInstant = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    rule('isInstant', (value) => value instanceof Date, instantProblem, options),
    FromText(parseInstant, (value) => (isString(value) ? parseInstant(value) : undefined)),
  );

const TEXT_CODES = ['malformed_text', 'blank', 'too_short', 'control_character', 'too_long'] as const;

/**
 * A text for people, by the rules of the domain's `validateText`: no control characters, no unpaired surrogates, a number of
 * code points, which `@MaxLength` counts differently from a column. Each problem is a rule, whose name is its code.
 */
function IsText(bounds: TextBounds): PropertyDecorator {
  const problemOf = (value: unknown, code: ProblemCode) =>
    isString(value) ? textProblems(value, bounds).find((problem) => problem.code === code) : undefined;
  return applyDecorators(
    rule('isText', isString, () => 'must be a string'),
    ...TEXT_CODES.map((code) => {
      const isValid = (value: unknown) => !problemOf(value, code);
      return rule(code, isValid, (value) => problemOf(value, code)!.message);
    }),
  );
}

/** The field may be absent, but not null. `@IsOptional` lets both pass. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A field that the service assigns: a request that sends it is rejected, even with null. */
export const ReadOnly = (): PropertyDecorator =>
  rule(
    'isReadOnly',
    (value) => value === undefined,
    () => 'is assigned by the service; leave it out',
  );

/** The description of a field in the document. */
interface FieldNotes<Example> {
  readonly description: string;
  readonly example: Example;
  /** The field may be left out. */
  readonly optional?: boolean;
  /** The field may be null or left out, as in a change where null clears the field. */
  readonly nullable?: boolean;
}

/** Combines rules with their part of the document. */
function field<Notes extends FieldNotes<unknown>>(
  { optional = false, nullable = false, ...notes }: Notes,
  type: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const presence = nullable ? [IsOptional()] : optional ? [MayBeAbsent()] : [];
  const required = !optional && !nullable;
  return applyDecorators(
    ...presence,
    ...rules,
    ApiProperty({ ...notes, ...type, ...(nullable && { nullable }), required } as ApiPropertyOptions),
  );
}

/** A field with a text for people. For a text of any characters use `@IsString()`. */
export const TextField = (notes: FieldNotes<string> & TextBounds) =>
  field(notes, { type: 'string' }, IsText(notes));

/** Most client generators turn this type into a double. */
const INT64_NOTE = 'Any 64-bit integer, a JSON number: beyond 2^53 `JSON.parse` of JavaScript rounds it.';

/** A field with a 64-bit integer, in bounds if they are given: a bigint in the DTO. */
export function Int64Field({ description, min, max, ...notes }: FieldNotes<number> & Int64Bounds) {
  const isAny = min === undefined && max === undefined;
  const [minimum, maximum] = [min, max].map((bound) => (bound === undefined ? undefined : Number(bound)));
  return field(
    { description: isAny ? `${description} ${INT64_NOTE}` : description, ...notes },
    { type: 'integer', format: 'int64', minimum, maximum },
    IsInt64({ min, max }),
  );
}

/** A field with an integer in bounds that a number holds, which is what it is in the DTO. */
export function IntegerField({ min, max, ...notes }: FieldNotes<number> & { min: number; max: number }) {
  const message = ({ value }: ValidationArguments) =>
    `$property must be ${isInteger(value) ? '' : 'an integer '}from ${min} to ${max}`;
  return field(
    notes,
    { type: 'integer', minimum: min, maximum: max },
    // A bigint is out of the bounds, whatever digits are lost.
    FromText(integerOf, (value) => (typeof value === 'bigint' ? Number(value) : undefined)),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** The schema of ids that the service assigns, which are exact in JavaScript. */
export const ID_SCHEMA = {
  type: 'integer' as const,
  format: 'int64',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** A field of an answer with an id that the service assigned. */
export const IdField = (notes: FieldNotes<number>) => ApiProperty({ ...notes, ...ID_SCHEMA });

/** A field with an instant; a Date in the DTO. */
export const InstantField = (notes: FieldNotes<string>) =>
  field(notes, { type: 'string', format: 'date-time' }, IsInstant());

/** A field with a boolean. */
export const BooleanField = (notes: FieldNotes<boolean>) =>
  field(notes, { type: 'boolean' }, FromText(booleanOf), IsBoolean());

/** A field with one of a few words; `name` is the name of the enumeration in the document. */
export function EnumField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<string> & { name: string },
) {
  const message = `$property must be one of ${words.join(', ')}`;
  return field(notes, { enum: [...words], enumName: name }, IsIn(words, { message }));
}
