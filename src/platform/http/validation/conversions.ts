import { Int64 } from '../../../kernel/int64.js';
import { isInstant } from './dto.decorators.js';
import { parseInstant } from './instant.js';
import type { DtoClass } from './problems.js';

/** Converts a value to the type that the class declares. */
export type Convert = (value: unknown, shape: DtoClass, field: string) => unknown;

export const declaredType = (shape: DtoClass, field: string): unknown =>
  Reflect.getMetadata('design:type', shape.prototype as object, field);

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** For JSON, which has no instants and only one kind of number. */
export const fromJson: Convert = (value, shape, field) => {
  if (Number.isSafeInteger(value) && declaredType(shape, field) === BigInt) return BigInt(value as number);
  if (typeof value !== 'string') return value;
  if (isInstant(shape.prototype as object, field)) return parseInstant(value) ?? value;
  if (!RFC_3339.test(value) || declaredType(shape, field) !== Date) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
};

/** For a query, which contains only text. A value in a non-canonical spelling stays text, which the field's rule rejects. */
export const fromText: Convert = (value, shape, field) => {
  if (typeof value !== 'string') return value;
  switch (declaredType(shape, field)) {
    case Number:
      return numberOf(value);
    case BigInt:
      return Int64.parse(value) ?? value;
    case Boolean:
      return value === 'true' ? true : value === 'false' ? false : value;
    case Array:
      return [value];
    default:
      return fromJson(value, shape, field);
  }
};

function numberOf(text: string): unknown {
  const number = Number(text);
  if (String(number) === text) return number;
  return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : text;
}

/** The fields of a merge patch that were sent; a field that was null is present and undefined. */
export type Changes<Patch extends object> = {
  readonly [Field in keyof Patch]: Exclude<Patch[Field], null> | undefined;
};

/**
 * The changes of a merge patch (RFC 7396), to be spread over the stored properties: null removes a value, and absent fields
 * keep theirs. `patch` is a body whose fields are all `optional` or `nullable`, without nested objects.
 */
export const changesOf = <Patch extends object>(patch: Patch): Changes<Patch> =>
  Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]: [string, unknown]) => [field, value ?? undefined]),
  ) as Changes<Patch>;
