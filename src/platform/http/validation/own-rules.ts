import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  buildMessage,
  isString,
  ValidateBy,
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
export const booleanOf = (text: string) =>
  text === 'true' || text === 'false' ? text === 'true' : undefined;

/** An integer of any size. JSON numbers beyond the range of a double are Infinity. */
export const isInteger = (value: unknown): boolean =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

/** A rule of ours. `clauseOf` says what a value must be. */
export const rule = (
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

export interface Int64Bounds {
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
export function IsText(bounds: TextBounds): PropertyDecorator {
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
