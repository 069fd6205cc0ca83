import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';

type Column = EntitySchemaColumnOptions;

/**
 * The kinds of columns that tables of both engines have, in the words of MySQL; `onSqlite` says them in those of SQLite. What
 * a value is in the domain is the same on both.
 */
export const columns = {
  /** An exact integer of 64 bits: a bigint. */
  int64: (more?: Partial<Column>): Column => ({ type: 'bigint', transformer: integers(BigInt), ...more }),
  /** A count or a time in milliseconds since 1970: a number. */
  number: (more?: Partial<Column>): Column => ({ type: 'bigint', transformer: integers(Number), ...more }),
  /** Any text of at most so many characters, in which each counts. */
  text: (length: number, more?: Partial<Column>): Column => ({
    type: 'varchar',
    length,
    charset: 'utf8mb4',
    collation: 'utf8mb4_bin',
    ...more,
  }),
  /** A word of a program: ASCII, of at most so many characters. */
  word: (length: number, more?: Partial<Column>): Column => ({
    type: 'varchar',
    length,
    charset: 'ascii',
    collation: 'ascii_bin',
    ...more,
  }),
};

/** The drivers give an integer as number, bigint or string, whichever is exact. What is NULL is absent in the domain. */
const integers = (as: (value: string) => unknown): ValueTransformer => ({
  from: (value: string | null) => (value === null ? undefined : as(value)),
  to: (value: unknown) => value ?? null,
});

const INTEGER = /int$/;
const TEXT = /(?:char|text)$/;

/** A schema in the words of SQLite, whose STRICT tables know integers and texts of any length only. */
export function onSqlite(schema: EntitySchema): EntitySchema {
  const { columns: given, embeddeds = {}, uniques = [], ...options } = schema.options;
  return new EntitySchema({
    ...options,
    columns: mapped(given as Record<string, Column>, sqliteColumn),
    // A UNIQUE of SQLite has no name.
    uniques: uniques.map(({ name: _name, ...unique }) => unique),
    embeddeds: mapped(embeddeds, (embedded) => ({ ...embedded!, schema: onSqlite(embedded!.schema) })),
  });
}

const mapped = <Value>(values: Readonly<Record<string, Value>>, map: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

function sqliteColumn({ length, charset: _charset, collation: _collation, ...column }: Column): Column {
  const { type } = column;
  if (typeof type === 'string' && INTEGER.test(type)) return { ...column, type: 'integer' };
  if (typeof type === 'string' && TEXT.test(type)) return { ...column, type: 'text' };
  return length === undefined ? column : { ...column, length };
}
