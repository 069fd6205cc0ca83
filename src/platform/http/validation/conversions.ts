import { Int64 } from '../../../kernel/int64.js';

/** A field of a class, which has a rule of class-validator. */
export interface DtoField {
  readonly name: string;
  /** What a text stands for: a class such as Number, if one is known. */
  readonly type: unknown;
  /** The class that class-transformer's `@Type` names, if it is one of those that take any text: Number, Boolean, Date. */
  readonly named: Function | undefined;
  readonly declared: unknown;
  /** Whether it has `@ValidateNested()`. */
  readonly isNested: boolean;
  /** Whether its rules hold under a condition only, such as that it was sent. */
  readonly isOptional: boolean;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** How texts become values, by type. A text in a spelling that we do not write stays text, which the field's rule rejects. */
const FROM_TEXT = new Map<unknown, (text: string) => unknown>([
  [BigInt, (text) => Int64.parse(text) ?? text],
  [Boolean, (text) => (text === 'true' ? true : text === 'false' ? false : text)],
  [
    Date,
    (text) => {
      const date = new Date(RFC_3339.test(text) ? text : Number.NaN);
      return Number.isNaN(date.getTime()) ? text : date;
    },
  ],
  [
    Number,
    (text) => {
      if (String(Number(text)) === text) return Number(text);
      return /^-?[1-9]\d*$/.test(text) ? BigInt(text) : text;
    },
  ],
]);

/** Converts the value of a query, which has only texts, and several of the same name for an array. */
export function fromQuery(value: unknown, field: DtoField): unknown {
  const values = field.declared === Array ? [value].flat() : value;
  return eachOf(values, (item) => fromText(item, field.type));
}

/** Converts a value of a body where `@Type` says what a text stands for, as in a form. */
export const fromBody = (value: unknown, { named }: DtoField): unknown =>
  named === undefined ? value : eachOf(value, (item) => fromText(item, named));

/** What the declaration of a field adds to JSON, which has no instants and only one kind of number. */
export function declaredAs(declared: unknown): ((value: unknown) => unknown) | undefined {
  if (declared === Date) return (value) => fromText(value, Date);
  if (declared === BigInt) return (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value);
  return undefined;
}

/** Whether a value, or each of several, has a type that class-transformer would give to anything. */
export const isOf = (type: DtoField['named'], value: unknown): boolean =>
  [value].flat().every((item) => Object(item) instanceof type!);

const fromText = (value: unknown, type: unknown): unknown =>
  typeof value === 'string' ? (FROM_TEXT.get(type)?.(value) ?? value) : value;

const eachOf = (value: unknown, convert: (item: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(convert) : convert(value);

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
