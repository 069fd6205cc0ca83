import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';

type Column = EntitySchemaColumnOptions;

/** A NULL of the database is undefined in the domain. */
const optional = (
  from: (stored: string) => unknown,
  to: (value: never) => unknown = (value) => value,
): ValueTransformer => ({
  from: (stored: string | null) => (stored === null ? undefined : from(stored)),
  to: (value: unknown) => (value === null || value === undefined ? null : to(value as never)),
});

/** Texts are compared by their bytes. */
const varchar =
  (charset: string) =>
  (length: number, more?: Partial<Column>): Column => ({
    type: 'varchar',
    length,
    charset,
    collation: `${charset}_bin`,
    ...orUndefined(more),
    ...more,
  });

const orUndefined = (more?: Partial<Column>) => more?.nullable && { transformer: optional((text) => text) };

/** A `bigint` holds all integers exactly. The drivers return it as a number, a bigint or a string. */
const integer =
  (transformer: ValueTransformer) =>
  (more?: Partial<Column>): Column => ({ type: 'bigint', transformer, ...more });

/**
 * The kinds of columns for all engines. They have the types of MySQL, which `StrictSqliteDriver` translates for SQLite. Values in the domain
 * are the same on each engine, and undefined where NULL is stored.
 */
export const columns = {
  /** An exact integer of 64 bits: a bigint. */
  int64: integer(optional(BigInt)),
  /** A count or a time in milliseconds since 1970: a number. */
  number: integer(optional(Number)),
  /** An instant, to the millisecond since 1970: a Date. */
  instant: integer(
    optional(
      (stored) => new Date(Number(stored)),
      (instant: Date) => instant.getTime(),
    ),
  ),
  /**
   * An exact number with at most `precision` digits, of which `scale` are behind the point: a text, such as '12.50'. `precision` is at most
   * 18. The number is stored as an integer, 1250, because SQLite has no DECIMAL, so that sums and orders are exact on each engine. A default
   * and a value in SQL are such integers, too. @throws RangeError for any other value
   */
  decimal: (precision: number, scale: number, more?: Partial<Column>): Column =>
    integer(decimals(precision, scale))(more),
  /** A calendar day: a text, '2026-11-20'. */
  day: (more?: Partial<Column>): Column => ({ type: 'date', ...orUndefined(more), ...more }),
  /** True or false. */
  boolean: (more?: Partial<Column>): Column => ({ type: 'tinyint', transformer: booleans, ...more }),
  /** A text of at most so many characters, compared exactly. */
  text: varchar('utf8mb4'),
  /** An identifier: ASCII, of at most so many characters. */
  word: varchar('ascii'),
  /** A list of texts: an array, stored as JSON of at most so many characters. */
  words: (length: number, more?: Partial<Column>): Column =>
    columns.text(length, { transformer: optional(JSON.parse, JSON.stringify), ...more }),
  /**
   * At most `length` bytes: a Buffer, compared by its bytes. A Uint8Array may be stored, too. A column in an index has at most 3072 bytes.
   * @throws RangeError for more bytes
   */
  bytes: (length: number, more?: Partial<Column>): Column => ({
    ...bytesType(length),
    transformer: optional((stored) => stored, bytesOf(length)),
    ...more,
  }),
};

const booleans = optional((stored) => Number(stored) === 1, Number);

/** MySQL's types for bytes, each with the largest size of a value. */
const BYTES = [
  [3_072, 'varbinary'],
  [65_535, 'blob'],
  [16_777_215, 'mediumblob'],
  [4_294_967_295, 'longblob'],
] as const;

function bytesType(length: number): Pick<Column, 'type' | 'length'> {
  const [, type] = (Number.isInteger(length) && length > 0 && BYTES.find(([most]) => length <= most)) || [];
  if (!type) throw new RangeError(`columns.bytes(${length}) is not between 1 and 4294967295 bytes.`);
  return type === 'varbinary' ? { type, length } : { type };
}

const bytesOf = (length: number) => (value: Uint8Array) => {
  if (!(value instanceof Uint8Array))
    throw new TypeError('columns.bytes stores a Buffer or a Uint8Array, and nothing else.');
  if (value.length > length)
    throw new RangeError(`${value.length} bytes cannot be stored in a column of ${length} bytes.`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};

function decimals(precision: number, scale: number): ValueTransformer {
  if (!Number.isInteger(precision) || !Number.isInteger(scale) || precision < 1 || scale < 0)
    throw new RangeError(
      `columns.decimal(${precision}, ${scale}) must have whole numbers: 1 or more digits, and 0 or more behind the point.`,
    );
  if (precision > 18) throw new RangeError('columns.decimal has at most 18 digits.');
  if (scale > precision)
    throw new RangeError(
      `columns.decimal(${precision}, ${scale}) has more digits behind the point than in all.`,
    );
  const before = precision > scale ? `(?:0|[1-9]\\d{0,${precision - scale - 1}})` : '0';
  const behind = scale > 0 ? `(?:\\.(\\d{1,${scale}}))?` : '';
  const number = new RegExp(`^(-?${before})${behind}$`);
  const fraction = new RegExp(`\\d{${scale}}$`);
  const pointed = (digits: string) => digits.padStart(scale + 1, '0').replace(fraction, '.$&');
  return optional(
    (stored) => String(stored).replace(/\d+/, pointed).replace(/\.$/, ''),
    (value: string) => {
      const [, whole, digits = ''] = number.exec(value) ?? [];
      if (whole === undefined)
        throw new RangeError(`A decimal(${precision}, ${scale}) cannot be what is to be stored.`);
      return BigInt(whole + digits.padEnd(scale, '0'));
    },
  );
}
