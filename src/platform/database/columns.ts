import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';

type Column = EntitySchemaColumnOptions;

/**
 * The kinds of columns for both engines, with the types of MySQL; `onSqlite` converts them to SQLite's. Values in the domain
 * are the same on both engines, and undefined where NULL is stored.
 */
export const columns = {
  /** An exact integer of 64 bits: a bigint. */
  int64: (more?: Partial<Column>): Column => ({ type: 'bigint', transformer: integers(BigInt), ...more }),
  /** A count or a time in milliseconds since 1970: a number. */
  number: (more?: Partial<Column>): Column => ({ type: 'bigint', transformer: integers(Number), ...more }),
  /** An instant, to the millisecond since 1970: a Date. */
  instant: (more?: Partial<Column>): Column => ({ type: 'bigint', transformer: instants, ...more }),
  /** True or false. */
  boolean: (more?: Partial<Column>): Column => ({ type: 'tinyint', transformer: booleans, ...more }),
  /** A text of at most so many characters, compared exactly. */
  text: (length: number, more?: Partial<Column>): Column => ({
    type: 'varchar',
    length,
    charset: 'utf8mb4',
    collation: 'utf8mb4_bin',
    ...(more?.nullable && { transformer: texts }),
    ...more,
  }),
  /** An identifier: ASCII, of at most so many characters. */
  word: (length: number, more?: Partial<Column>): Column => ({
    type: 'varchar',
    length,
    charset: 'ascii',
    collation: 'ascii_bin',
    ...(more?.nullable && { transformer: texts }),
    ...more,
  }),
};

/** The drivers return an integer as number, bigint or string, whichever is exact. */
const integers = (as: (value: string) => unknown): ValueTransformer => ({
  from: (value: string | null) => (value === null ? undefined : as(value)),
  to: (value: unknown) => value ?? null,
});

const texts: ValueTransformer = {
  from: (value: string | null) => value ?? undefined,
  to: (value: unknown) => value ?? null,
};

const instants: ValueTransformer = {
  from: (value: string | null) => (value === null ? undefined : new Date(Number(value))),
  to: (value: Date | null | undefined) => value?.getTime() ?? null,
};

const booleans: ValueTransformer = {
  from: (value: number | null) => (value === null ? undefined : Number(value) === 1),
  to: (value: boolean | null | undefined) => (value === null || value === undefined ? null : Number(value)),
};

const INTEGER = /int$/;
const TEXT = /(?:char|text)$/;

/** The schema with SQLite's types: STRICT tables have only integers and texts of any length. */
export function onSqlite(schema: EntitySchema): EntitySchema {
  const { columns: given, embeddeds = {}, uniques = [], ...options } = schema.options;
  return new EntitySchema({
    ...options,
    columns: mapped(given as Record<string, Column>, sqliteColumn),
    // A UNIQUE constraint has no name in SQLite.
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
