import 'reflect-metadata';
import { applyDecorators, SetMetadata } from '@nestjs/common';
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
import type { Problem } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
import { instantProblem, parseInstant } from './instant.js';

/** An integer of any size. JSON numbers beyond the range of a double are Infinity. */
export const isInteger = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

const isInt64 = (value: unknown) =>
  typeof value === 'bigint' ? Int64.holds(value) : Number.isSafeInteger(value);

/** A 64-bit integer: number or bigint, whichever is exact. `@IsInt` knows no bigint. */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const message = (each: string, given?: ValidationArguments) =>
    `${each}$property must be ${isInteger(given!.value) ? INT64_RANGE : 'an integer'}`;
  const validator = { validate: isInt64, defaultMessage: buildMessage(message, options) };
  return ValidateBy({ name: 'isInt64', validator }, options);
}

const INT64_RANGE = 'from -9223372036854775808 to 9223372036854775807';

/** An instant: RFC 3339 text in JSON and in a query, a Date in the DTO, exact to the millisecond. */
export function IsInstant(options?: ValidationOptions): PropertyDecorator {
  const message = (each: string, given?: ValidationArguments) =>
    `${each}$property ${instantProblem(given!.value)}`;
  const validate = (value: unknown) => value instanceof Date;
  const validator = { validate, defaultMessage: buildMessage(message, options) };
  const parse = (value: unknown) => (typeof value === 'string' ? (parseInstant(value) ?? value) : value);
  return applyDecorators(
    ValidateBy({ name: 'isInstant', validator }, options),
    Transform(({ value }) => (Array.isArray(value) ? value.map(parse) : parse(value))),
  );
}

/**
 * A text for people, by the rules of the domain's `validateText`: no control characters, no unpaired surrogates, a number of
 * code points, which `@MaxLength` counts differently from a column. Its message contains all problems as JSON.
 */
function IsText(bounds: TextBounds): PropertyDecorator {
  const problemsOf = (value: string) => textProblems(value, bounds);
  const validator = {
    validate: (value: unknown) => typeof value === 'string' && problemsOf(value).length === 0,
    defaultMessage: ({ value }: ValidationArguments) =>
      typeof value === 'string' ? JSON.stringify(problemsOf(value)) : '$property must be a string',
  };
  return ValidateBy({ name: 'isText', validator });
}

/** The field may be absent, but not null. `@IsOptional` lets both pass. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A field that the service assigns: a request that sends it is rejected, even with null. */
export const ReadOnly = (): PropertyDecorator =>
  ValidateBy({
    name: 'isReadOnly',
    validator: {
      validate: (value) => value === undefined,
      defaultMessage: () => '$property is assigned by the service; leave it out',
    },
  });

/** A text without further rules, such as a cursor, which may be absent. A cached query does not depend on it. */
export const IsOpaque = (): PropertyDecorator =>
  applyDecorators(
    MayBeAbsent(),
    ValidateBy({
      name: 'isOpaque',
      validator: { validate: isString, defaultMessage: () => '$property must be a string' },
    }),
  );

const PURE = Symbol('pure');

/**
 * Declares that the rules of a DTO are synchronous and depend only on the value. They are then checked without a promise, and
 * short valid queries are cached. `plain`: no field is nested or has `@Type` or `@Transform`, so class-transformer has nothing
 * to do. Used on hot paths (docs/decisions/0071-class-validator.md).
 */
export const PureRules = ({ plain = false } = {}) =>
  SetMetadata(PURE, plain ? 'plain' : 'pure') as ClassDecorator;

/** Not inherited, because a subclass may add other rules. */
export const hasPureRules = (dto: object): boolean => Reflect.hasOwnMetadata(PURE, dto);
export const isPlain = (dto: object) => Reflect.getOwnMetadata(PURE, dto) === 'plain';

const POLICY = Symbol('policy');

/** Validates the well-formed fields of an input; other fields are absent. */
type Policy<Input> = (input: Partial<Input>) => Problem[];

/**
 * Names the domain's policy for the fields of a DTO. It is called only for a body that already breaks a rule, so that the
 * client learns of all problems at once; a well-formed body is validated by the domain itself.
 */
export function ValidatedBy<Input>(policy: Policy<Input>): ClassDecorator {
  return (dto) => Reflect.defineMetadata(POLICY, policy, dto);
}

export function policyOf(dto: object): Policy<unknown> {
  return (Reflect.getMetadata(POLICY, dto) as Policy<unknown> | undefined) ?? (() => []);
}

/** The description of a field in the document. */
interface FieldNotes<Example> {
  readonly description: string;
  readonly example: Example;
  /** The field may be left out. */
  readonly optional?: boolean;
  /** The field may be null or left out, as in a change where null clears the field. */
  readonly nullable?: boolean;
}

/** Combines a rule with its part of the document. */
function field<Notes extends FieldNotes<unknown>>(
  { optional = false, nullable = false, ...notes }: Notes,
  type: ApiPropertyOptions,
  rule: PropertyDecorator,
): PropertyDecorator {
  const presence = nullable ? [IsOptional()] : optional ? [MayBeAbsent()] : [];
  const required = !optional && !nullable;
  return applyDecorators(
    ...presence,
    rule,
    ApiProperty({ ...notes, ...type, ...(nullable && { nullable }), required } as ApiPropertyOptions),
  );
}

/** A field with a text for people. For a text of any characters use `@IsString()`. */
export const TextField = (notes: FieldNotes<string> & TextBounds) =>
  field(notes, { type: 'string' }, IsText(notes));

/** Most client generators turn this type into a double. */
const INT64_NOTE = 'Any 64-bit integer, a JSON number: beyond 2^53 `JSON.parse` of JavaScript rounds it.';

/** A field with a 64-bit integer: a number or bigint in the DTO, whichever is exact. */
export const Int64Field = ({ description, ...notes }: FieldNotes<number>) =>
  field(
    { description: `${description} ${INT64_NOTE}`, ...notes },
    { type: 'integer', format: 'int64' },
    IsInt64(),
  );

/** A field with an integer in bounds that a number holds, which is what it is in the DTO. */
export function IntegerField({ min, max, ...notes }: FieldNotes<number> & { min: number; max: number }) {
  const message = ({ value }: ValidationArguments) =>
    `$property must be ${isInteger(value) ? '' : 'an integer '}from ${min} to ${max}`;
  return field(
    notes,
    { type: 'integer', minimum: min, maximum: max },
    applyDecorators(IsInt({ message }), Min(min, { message }), Max(max, { message })),
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
export const BooleanField = (notes: FieldNotes<boolean>) => field(notes, { type: 'boolean' }, IsBoolean());

/** A field with one of a few words; `name` is the name of the enumeration in the document. */
export function EnumField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<string> & { name: string },
) {
  const message = `$property must be one of ${words.join(', ')}`;
  return field(notes, { enum: [...words], enumName: name }, IsIn(words, { message }));
}
