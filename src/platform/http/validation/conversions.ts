import { Int64 } from '../../../kernel/int64.js';
import { parseInstant } from './instant.js';

/** What the declaration of a field says of its values. */
export interface FieldTypes {
  /** The class of its property. */
  readonly declared: unknown;
  /** The class that class-transformer's `@Type` names for it, or for the items of an array. */
  readonly named: unknown;
  /** Whether it has `@IsInstant`. */
  readonly isInstant: boolean;
}

/** Converts a value to the type of its field. A text in a non-canonical spelling stays text, which the field's rule rejects. */
export type Convert = (value: unknown, field: FieldTypes) => unknown;

/** For JSON, which has no instants and only one kind of number. A form has only texts: `@Type` says what they stand for. */
export const fromJson: Convert = (value, field) => {
  const { declared, named, isInstant } = field;
  if (!Array.isArray(value)) return convert(value, named ?? declared, isInstant, named !== undefined);
  if (named === undefined && !isInstant) return value;
  return value.map((item) => convert(item, named, isInstant, true));
};

/** For a query, which has only texts, and several of the same name for an array. */
export const fromText: Convert = (value, { declared, named, isInstant }) => {
  if (Array.isArray(value)) return value.map((item) => convert(item, named, isInstant, true));
  if (declared === Array) return [convert(value, named, isInstant, true)];
  return convert(value, named ?? declared, isInstant, true);
};

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function convert(value: unknown, type: unknown, isInstant: boolean, isText: boolean): unknown {
  if (type === BigInt && Number.isSafeInteger(value)) return BigInt(value as number);
  if (typeof value !== 'string') return value;
  if (isInstant) return parseInstant(value) ?? value;
  if (type === Date) return dateFrom(value) ?? value;
  return isText ? fromWord(value, type) : value;
}

function fromWord(text: string, type: unknown): unknown {
  switch (type) {
    case Number:
      return numberFrom(text);
    case BigInt:
      return Int64.parse(text) ?? text;
    case Boolean:
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

function dateFrom(text: string): Date | undefined {
  const date = new Date(RFC_3339.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function numberFrom(text: string): unknown {
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
