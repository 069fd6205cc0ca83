import { ValidateBy, ValidateIf } from 'class-validator';
import type { ProblemCode } from '../../../kernel/domain-error.js';
import { Int64 } from '../../../kernel/int64.js';

/**
 * The rules for the shape of a field, as decorators of a DTO. Each is a class-validator constraint that is named after the
 * problem code it stands for and says in an English clause what the field must be.
 */
function rule(code: ProblemCode, message: string, validate: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({ name: code, validator: { validate, defaultMessage: () => message } });
}

function all(...rules: PropertyDecorator[]): PropertyDecorator {
  return (target, field) => rules.forEach((decorate) => decorate(target, field));
}

/** Each rule leaves alone what another rule of the same field has refused already, so that a fault is told once. */
const unlessAbsent = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || holds(value);

const isString = (value: unknown) => typeof value === 'string';

/** An integer of any size; Infinity is what JavaScript makes of the largest. */
const isInteger = (value: unknown) =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

const isInt64 = (value: unknown) =>
  typeof value === 'bigint' ? Int64.holds(value) : Number.isSafeInteger(value as number);

/** The field must be there. */
export const Required = () => rule('required', 'is required', (value) => value !== undefined);

/** The field may be absent; `null` is not absent. */
export const Optional = () => ValidateIf((_, value) => value !== undefined);

export const IsText = () => rule('invalid_type', 'must be a string', unlessAbsent(isString));

export const IsInt64 = () =>
  all(
    rule('invalid_type', 'must be an integer', unlessAbsent(isInteger)),
    rule(
      'out_of_range',
      'must be from -9223372036854775808 to 9223372036854775807',
      (value) => !isInteger(value) || isInt64(value),
    ),
  );

export const IsOneOf = (words: readonly string[]) =>
  rule(
    'invalid_enum_value',
    `must be one of ${words.join(', ')}`,
    unlessAbsent((value) => words.includes(value as string)),
  );

/** The service decides this field; a request that brings it is refused. */
export const ReadOnly = () =>
  rule('read_only_field', 'is assigned by the service; leave it out', (value) => value === undefined);

/** A query parameter that counts something: decimal digits only, in the range. */
export const IsWholeNumber = (from: number, to: number) =>
  all(
    rule(
      'invalid_type',
      `must be a whole number from ${from} to ${to}, given once`,
      unlessAbsent(isPlainDecimal),
    ),
    rule(
      'out_of_range',
      `must be from ${from} to ${to}`,
      (value) => !isPlainDecimal(value) || (Number(value) >= from && Number(value) <= to),
    ),
  );

const isPlainDecimal = (value: unknown) => typeof value === 'string' && /^(?:0|-?[1-9]\d*)$/.test(value);
