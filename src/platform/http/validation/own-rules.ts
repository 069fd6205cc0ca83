import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams, type TransformOptions } from 'class-transformer';
import { buildMessage, isString, ValidateBy, type ValidationOptions } from 'class-validator';
import { Int64 } from '../../../kernel/int64.js';
import { type TextBounds, textProblems } from '../../../kernel/text.js';
import { exactOf } from '../../json/exact-integers.js';
import { nameInJson } from './name-in-json.js';

/** The group of class-transformer for conversions of texts, which are the parameters of a query or a path. A body keeps its texts. */
export const TEXTS = 'texts';

/** Reads a text, or each text in a list. A text that is read as an array has several values. Any other value stays as it is. */
const Read = (read: (text: string) => unknown, options?: TransformOptions): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const one = (item: unknown) => (isString(item) ? read(item) : undefined) ?? item;
    return Array.isArray(value) ? value.flatMap(one) : one(value);
  }, options);

/** Reads the text of a parameter of a query or a path. */
export const FromText = (read: (text: string) => unknown) => Read(read, { groups: [TEXTS] });

/** Reads an integer in the spelling of the service: no leading zero, no exponent, and no sign except `-`. */
const integerOf = (text: string) => (/^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : undefined);
export const booleanOf = (text: string) =>
  text === 'true' || text === 'false' ? text === 'true' : undefined;

/** Whether a value is an integer of any size. JSON numbers beyond the range of a double are Infinity. */
export const isInteger = (value: unknown): boolean =>
  typeof value === 'bigint' || Number.isInteger(value) || value === Infinity || value === -Infinity;

/** Makes a rule of class-validator. `clauseOf` returns what a value must be. */
export const customRule = (
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

/** An integer in bounds that a number holds. An integer beyond 2^53 is out of these bounds, although its last digits are rounded. */
export function IsInteger(
  min: number,
  max: number,
  otherwise = `must be an integer from ${min} to ${max}`,
): PropertyDecorator {
  const isValid = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  const clauseOf = (value: unknown) => (isInteger(value) ? `must be from ${min} to ${max}` : otherwise);
  return applyDecorators(customRule('isInteger', isValid, clauseOf), FromText(integerOf));
}

/** The end of the message about the items of `?id=` and `?id=1,,2`. */
export const emptyItem = (items: unknown): string =>
  Array.isArray(items) && items.includes('') ? '; one is empty' : '';

/**
 * Makes a bigint of an integer in a body, or of each item of a list. The body has the exact value of an integer that a number does
 * not hold. An integer that another `@Transform` has changed before does not get this exact value.
 */
const Exactly = (): PropertyDecorator => (prototype, property) => {
  const field = String(property);
  let nameOfField: string | undefined;
  // class-transformer also accepts the name in the class for a field that has another name in JSON.
  const nameIn = (body: object) => {
    nameOfField ??= nameInJson(prototype, field);
    return Object.hasOwn(body, nameOfField) ? nameOfField : field;
  };
  const read = ({ value, obj: body }: { value: unknown; obj: Readonly<Record<string, unknown>> }) =>
    Array.isArray(value)
      ? value.map((item, i) => bigintOf(item, () => exactOf(body[nameIn(body)], i)))
      : bigintOf(value, () => exactOf(body, nameIn(body)));
  Transform(read as (params: TransformFnParams) => unknown)(prototype, property);
};

function bigintOf(value: unknown, exactly: () => bigint | undefined): unknown {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (!Number.isInteger(value)) return value;
  const exact = exactly();
  return Number(exact) === value ? exact : value;
}

/** A 64-bit integer, which is a bigint in the DTO. */
export function IsInt64(bounds: Int64Bounds & ValidationOptions = {}): PropertyDecorator {
  const { min = Int64.MIN, max = Int64.MAX, ...options } = bounds;
  const isValid = (value: unknown) => typeof value === 'bigint' && value >= min && value <= max;
  const areIntegers = (value: unknown) => [value].flat(options.each ? 1 : 0).every(isInteger);
  const clauseOf = (value: unknown) =>
    `must be ${areIntegers(value) ? `from ${min} to ${max}` : 'an integer'}${options.each ? emptyItem(value) : ''}`;
  return applyDecorators(customRule('isInt64', isValid, clauseOf, options), FromText(Int64.parse), Exactly());
}

/** An instant: RFC 3339 text in JSON and in a query, a Date in the DTO, exact to the millisecond. */
export const IsInstant = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    customRule('isInstant', (value) => value instanceof Date, instantProblem, options),
    Read(parseInstant),
  );

const RFC_3339 = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,3})0*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const LEAP_SECOND = /^\d{4}-\d\d-\d\dt\d\d:\d\d:60/i;
const YEAR = /^\d{4}-/;

/**
 * Parses an RFC 3339 instant that a Date represents exactly: a valid calendar date, at most milliseconds, years 0000 to 9999 in
 * UTC. A Date does not support leap seconds. @returns undefined for any other text
 */
function parseInstant(text: string): Date | undefined {
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
  return customRule('isText', isValid, () => 'must be a string', { context: bounds });
}
