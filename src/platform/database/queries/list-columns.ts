import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { ApplyValueTransformers } from 'typeorm/util/ApplyValueTransformers.js';
import { StoredInstant } from '../../../kernel/stored-instant.js';

/** The types whose values are compared as they were read, on each engine. */
const ORDERED =
  /^(?:(?:tiny|small|medium|big)?int|integer|number|year|bool(?:ean)?|double(?: precision)?|real|date|time|string|uuid)$|char$|text$/;
const DECIMAL = /^(?:decimal|dec|numeric|fixed)$/;
/** A decimal is compared with a text as a floating-point number, which has that many digits of each number. */
const MAX_DIGITS = 15;
const INSTANT = /^(?:datetime|timestamp)$/;
/** The types that a filter can compare, although they have another order than their texts. */
const EQUAL = /enum$/;

/** Which kind of column to use instead of a type. */
const INSTEAD: readonly (readonly [type: RegExp, kind: string])[] = [
  [DECIMAL, 'columns.decimal'],
  [EQUAL, 'columns.word'],
];

/** What a list does with a column. */
type Use = 'sorted' | 'filtered';

/** @throws Error if the list cannot be sorted or filtered by the property, because the database would not find its values again */
export function listColumn(
  { expressionMap }: SelectQueryBuilder<ObjectLiteral>,
  property: string,
  use: Use,
): ColumnMetadata {
  const { metadata } = expressionMap.mainAlias!;
  const column = metadata.findColumnWithPropertyName(property);
  if (!column) throw new Error(`${metadata.name} has no column ${property} that a list could be made by.`);
  const type = typeOf(column);
  const isExact = ORDERED.test(type) || INSTANT.test(type) || (use === 'filtered' && EQUAL.test(type));
  if (isExact || (DECIMAL.test(type) && (column.precision ?? 0) <= MAX_DIGITS)) return column;
  const kind = INSTEAD.find(([of]) => of.test(type))?.[1] ?? 'another column';
  const digits = DECIMAL.test(type) ? `${type} of ${column.precision} digits` : type;
  const what = `${metadata.name}.${property}, of the type ${digits}`;
  throw new Error(`A list cannot be ${use} by ${what}. Use ${kind}.`);
}

/** Whether the values are `Date`s, which may be less exact than what is stored. */
export const isInstant = (column: ColumnMetadata): boolean => INSTANT.test(typeOf(column));

function typeOf({ type }: ColumnMetadata): string {
  if (type === Date) return 'datetime';
  return typeof type === 'function' ? type.name.toLowerCase() : type;
}

/** Makes a parameter of a value. @returns its place in the text of the statement */
type Bind = (value: unknown) => string;

/** The condition that compares the column at this path with a value, or with an array of values after `IN`. */
export function comparison(
  column: ColumnMetadata,
  path: string,
  operator: string,
  value: unknown,
  bind: Bind,
): string {
  if (isInstant(column)) return instantComparison(column, path, operator, value, bind);
  const { driver } = column.entityMetadata.dataSource;
  // TypeORM cannot prepare a bigint, which a cursor has for each integer, for a column of the type Number.
  const stored = (one: unknown): unknown =>
    typeof one === 'bigint' && !column.transformer ? one : driver.preparePersistentValue(one, column);
  return `${path} ${operator} ${bind(Array.isArray(value) ? value.map(stored) : stored(value))}`;
}

/** A `Date` stands for its whole millisecond, with each microsecond in it, and with each text of it on SQLite. */
function instantComparison(
  column: ColumnMetadata,
  path: string,
  operator: string,
  value: unknown,
  bind: Bind,
): string {
  const compared = (by: string, one: unknown) => instantComparison(column, path, by, one, bind);
  if (value instanceof StoredInstant) return `${path} ${operator} ${bind(value.text)}`;
  if (Array.isArray(value)) return `(${value.map((one) => compared('=', one)).join(' OR ')})`;
  if (operator === '=') return `(${compared('>=', value)} AND ${compared('<=', value)})`;
  const { transformer } = column;
  const instant = (transformer ? ApplyValueTransformers.transformTo(transformer, value) : value) as Date;
  const bound = (milliseconds: number) => bind(shortest(new Date(instant.getTime() + milliseconds)));
  if (operator === '>') return `${path} >= ${bound(1)}`;
  if (operator === '<=') return `${path} < ${bound(1)}`;
  return `${path} ${operator} ${bound(0)}`;
}

/** The first of all texts of this millisecond, which has no zeros at its end. */
const shortest = (instant: Date) =>
  instant
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '');
