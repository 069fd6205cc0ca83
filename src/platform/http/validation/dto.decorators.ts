import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  buildMessage,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import type { Problem } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
import { instantProblem } from './instant.js';

/** What class-validator does not have. It stands beside its own rules on the fields of a DTO, or on the DTO. */

/** An integer of any size; Infinity is what JavaScript makes of the largest. */
export const isInteger = (value: unknown) =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

const isInt64 = (value: unknown) =>
  typeof value === 'bigint' ? Int64.holds(value) : Number.isSafeInteger(value);

/** A 64-bit integer: number or bigint, whichever is exact. `@IsInt` knows no bigint. */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const message = (each: string, given?: ValidationArguments) =>
    `${each}$property must be ${isInteger(given?.value) ? INT64_RANGE : 'an integer'}`;
  const validator = { validate: isInt64, defaultMessage: buildMessage(message, options) };
  return ValidateBy({ name: 'isInt64', validator }, options);
}

const INT64_RANGE = 'from -9223372036854775808 to 9223372036854775807';

/** A mark on fields, and the question whether a field has it. */
function fieldMark(name: string) {
  const key = Symbol(name);
  return {
    mark: (target: object, field: string | symbol) => Reflect.defineMetadata(key, true, target, field),
    isMarked: (prototype: object, field: string): boolean =>
      Reflect.getMetadata(key, prototype, field) === true,
  };
}

const instant = fieldMark('instant');
export const isInstant = instant.isMarked;

/** An instant: RFC 3339 text in JSON and in a query, a Date in the DTO, exact to the millisecond. */
export function IsInstant(options?: ValidationOptions): PropertyDecorator {
  const message = (each: string, given?: ValidationArguments) =>
    `${each}$property ${instantProblem(given?.value)}`;
  const validate = (value: unknown) => value instanceof Date;
  const validator = { validate, defaultMessage: buildMessage(message, options) };
  return applyDecorators(ValidateBy({ name: 'isInstant', validator }, options), instant.mark);
}

/**
 * A text that people read, as the domain's `validateText` wants it: no control characters, no lone surrogates, so many code
 * points. `@MaxLength` counts them otherwise than a column does. The message has all problems, as JSON.
 */
function IsText(bounds: TextBounds): PropertyDecorator {
  const problemsOf = (value: string) => textProblems(value, bounds);
  const validator = {
    validate: (value: unknown) => typeof value === 'string' && problemsOf(value).length === 0,
    defaultMessage: (given?: ValidationArguments) =>
      typeof given?.value === 'string'
        ? JSON.stringify(problemsOf(given.value))
        : '$property must be a string',
  };
  return ValidateBy({ name: 'isText', validator });
}

/** The field may be absent, but not null. `@IsOptional` lets both pass. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

const readOnly = fieldMark('read-only');
export const isReadOnly = readOnly.isMarked;

/** The service decides this field; a request that sends it is rejected, even with null. */
export const ReadOnly = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isReadOnly',
      validator: {
        validate: (value) => value === undefined,
        defaultMessage: () => '$property is assigned by the service; leave it out',
      },
    }),
    readOnly.mark,
  );

const opaque = fieldMark('opaque');
export const isOpaque = opaque.isMarked;

/** A text that only its reader understands, such as a cursor; any will do here. The field has no other rule. */
export const IsOpaque = (): PropertyDecorator => applyDecorators(IsString(), opaque.mark);

const PURE = Symbol('pure');

/**
 * Says of a DTO that its rules are synchronous and depend on nothing but the value: then they are checked without a promise,
 * and a short query that was accepted is not checked again. Hot paths carry it (docs/decisions/0071-class-validator.md).
 */
export const PureRules = (): ClassDecorator => (dto) => Reflect.defineMetadata(PURE, true, dto);

/** A class that extends another one may add rules of another kind, so it has to say so itself. */
export const hasPureRules = (dto: object): boolean => Reflect.hasOwnMetadata(PURE, dto);

const POLICY = Symbol('policy');

/** Validates those fields of some input that are well-formed; the others are left out. */
type Policy<Input> = (input: Partial<Input>) => Problem[];

/**
 * Stands on a DTO and names the policy of the domain for its fields. The policy is asked only about a body that already breaks
 * a rule, so that the client hears of all problems at once; a well-formed one is validated by the domain itself.
 */
export function ValidatedBy<Input>(policy: Policy<Input>): ClassDecorator {
  return (dto) => Reflect.defineMetadata(POLICY, policy, dto);
}

export function policyOf(dto: object): Policy<unknown> {
  return (Reflect.getMetadata(POLICY, dto) as Policy<unknown> | undefined) ?? (() => []);
}

/** What the document says of a field besides its type. */
interface FieldNotes<Example> {
  readonly description: string;
  readonly example: Example;
  /** May be left out. */
  readonly optional?: boolean;
  /** May be null, and then it may be left out as well: for a change, where null clears the field. */
  readonly nullable?: boolean;
}

/** A rule and its part of the document, from the same line. */
function field<Notes extends FieldNotes<unknown>>(
  { optional = false, nullable = false, ...notes }: Notes,
  type: { type: 'string' | 'integer' | 'boolean'; format?: string } | { enum: string[]; enumName: string },
  rule: PropertyDecorator,
): PropertyDecorator {
  const presence = nullable ? [IsOptional()] : optional ? [MayBeAbsent()] : [];
  const required = !optional && !nullable;
  return applyDecorators(
    ...presence,
    rule,
    ApiProperty({ ...notes, ...type, ...(nullable && { nullable }), required }),
  );
}

/** A field with a text that people read, in one line; a text of any characters is `@IsString()`. */
export const TextField = (notes: FieldNotes<string> & TextBounds) =>
  field(notes, { type: 'string' }, IsText(notes));
/** What every client generator makes a double. */
const INT64_NOTE = 'Any 64-bit integer, a JSON number: beyond 2^53 `JSON.parse` of JavaScript rounds it.';

/** A field with a 64-bit integer: number or bigint in a DTO, whichever is exact. */
export const Int64Field = ({ description, ...notes }: FieldNotes<number>) =>
  field(
    { description: `${description} ${INT64_NOTE}`, ...notes },
    { type: 'integer', format: 'int64' },
    IsInt64(),
  );

/** What the document says of ids that the service has given: no JavaScript rounds them. */
export const ID_SCHEMA = {
  type: 'integer' as const,
  format: 'int64',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** A field of an answer, with the id that the service has given to the thing. */
export const IdField = (notes: FieldNotes<number>) => ApiProperty({ ...notes, ...ID_SCHEMA });

/** A field with an instant: a Date in a DTO. */
export const InstantField = (notes: FieldNotes<string>) =>
  field(notes, { type: 'string', format: 'date-time' }, IsInstant());

/** A field with true or false. */
export const BooleanField = (notes: FieldNotes<boolean>) => field(notes, { type: 'boolean' }, IsBoolean());

/** A field with one of a few words; `name` is the word list's own name in the document. */
export function EnumField(
  words: readonly string[],
  { name, ...notes }: FieldNotes<string> & { name: string },
) {
  const message = `$property must be one of ${words.join(', ')}`;
  return field(notes, { enum: [...words], enumName: name }, IsIn(words, { message }));
}
