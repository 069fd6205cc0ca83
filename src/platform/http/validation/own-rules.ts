import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { buildMessage, isString, ValidateBy, type ValidationOptions } from 'class-validator';
import { Int64 } from '../../../kernel/int64.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';

/** class-transformer's group of what reads texts: the parameters of a query or a path. In a body a text stays a text. */
export const TEXTS = 'texts';

/** Converts a value, or each of several; a value of which `convert` makes undefined stays what it was. */
const Converted = (convert: (value: unknown) => unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const one = (item: unknown) => convert(item) ?? item;
    return Array.isArray(value) ? value.map(one) : one(value);
  });

/** Reads the text of a parameter, or each of several. A text that is read as an array has several values. */
export const FromText = (read: (text: string) => unknown): PropertyDecorator =>
  Transform(
    ({ value }: { value: unknown }) => {
      const one = (item: unknown) => (isString(item) ? read(item) : undefined) ?? item;
      return Array.isArray(value) ? value.flatMap(one) : one(value);
    },
    { groups: [TEXTS] },
  );

/** Only as the service writes it: no sign but `-`, no leading zero, no exponent. */
const integerOf = (text: string) => (/^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : undefined);
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
  const message = buildMessage((each, given) => `${each}$property ${clauseOf(given!.value)}`, options);
  return ValidateBy({ name, validator: { validate, defaultMessage: message } }, options);
};

export interface Int64Bounds {
  readonly min?: number | bigint | undefined;
  readonly max?: number | bigint | undefined;
}

/** An integer in bounds that a number holds. A bigint is out of them, whatever digits are lost. */
export function IsInteger(
  min: number,
  max: number,
  otherwise = `must be an integer from ${min} to ${max}`,
): PropertyDecorator {
  const isValid = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  const clauseOf = (value: unknown) => (isInteger(value) ? `must be from ${min} to ${max}` : otherwise);
  return applyDecorators(
    rule('isInt', isValid, clauseOf),
    FromText(integerOf),
    Converted((value) => (typeof value === 'bigint' ? Number(value) : undefined)),
  );
}

/** What is wrong with `?id=` and `?id=1,,2`: the end of the message about their items. */
export const emptyItem = (items: unknown): string =>
  Array.isArray(items) && items.includes('') ? '; one is empty' : '';

/** A 64-bit integer, which is a bigint in the DTO. */
export function IsInt64(bounds: Int64Bounds & ValidationOptions = {}): PropertyDecorator {
  const { min = Int64.MIN, max = Int64.MAX, ...options } = bounds;
  const isValid = (value: unknown) => typeof value === 'bigint' && value >= min && value <= max;
  const areIntegers = (value: unknown) => [value].flat(options.each ? 1 : 0).every(isInteger);
  const clauseOf = (value: unknown) =>
    `must be ${areIntegers(value) ? `from ${min} to ${max}` : 'an integer'}${options.each ? emptyItem(value) : ''}`;
  return applyDecorators(
    rule('isInt64', isValid, clauseOf, options),
    FromText(Int64.parse),
    Converted((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : undefined)),
  );
}

/** An instant: RFC 3339 text in JSON and in a query, a Date in the DTO, exact to the millisecond. */
export const IsInstant = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    rule('isInstant', (value) => value instanceof Date, instantProblem, options),
    Converted((value) => (isString(value) ? parseInstant(value) : undefined)),
  );

const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,3})0*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LEAP_SECOND = /^\d{4}-\d\d-\d\dt\d\d:\d\d:60/i;
const YEAR = /^\d{4}-/;

/**
 * Parses an RFC 3339 instant that a Date represents exactly: a valid calendar date, at most milliseconds, years 0000 to 9999 in
 * UTC. A Date does not support leap seconds. @returns undefined for any other text
 */
export function parseInstant(text: string): Date | undefined {
  const parts = RFC_3339.exec(text.toUpperCase());
  if (parts === null) return undefined;
  const [, day, time, fraction = '', offset] = parts;
  const local = `${day}T${time}.${fraction.padEnd(3, '0')}`;
  // `Date` would carry an invalid day or hour over to the next one.
  const asUtc = new Date(`${local}Z`);
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return undefined;
  const instant = new Date(`${local}${offset}`);
  return YEAR.test(instant.toISOString()) ? instant : undefined;
}

/** The problem of a text that `parseInstant` rejects: a clause that follows the name of the field. */
const instantProblem = (value: unknown): string =>
  typeof value === 'string' && LEAP_SECOND.test(value)
    ? 'must not be a leap second; send the second before or after it'
    : 'must be an instant of RFC 3339 with its offset, no finer than milliseconds, such as 2026-11-20T12:00:00.000Z';

/**
 * A text for people, by the rules of the domain's `validateText`: no control characters, no unpaired surrogates, a number of
 * code points, which `@MaxLength` counts differently from a column. It is one rule with several problems, by the bounds in its context.
 */
export function IsText(bounds: TextBounds): PropertyDecorator {
  const isValid = (value: unknown) => isString(value) && textProblems(value, bounds).length === 0;
  return rule('isText', isValid, () => 'must be a string', { context: bounds });
}
