import type { INestApplication } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { Routes } from '../rooms/http.js';
import { PageQuery } from '../../../src/platform/http/index.js';
import { addressesIn } from '../../../tools/openapi/addresses.js';
import { declaredParametersOf } from '../../../tools/openapi/handlers.js';
import type { Document, Parameter, Schema } from '../../fuzz/arbitraries.js';
import type { ApiClient } from '../api-client.js';
import type { TestDatabase } from '../engines.js';

export type Item = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The remedy when a list rejects a request that these functions have made. */
export const EXAMPLES =
  'The values are the examples of the document: give each parameter in the DTO of the module an `example` that the list accepts, then run npm run document.';

export const ROWS = 20_000;
/** The id of the first row that a table is filled with. */
const FILLED_ID = '500001';

export interface List {
  /** The path of the list, with a value for each of its parameters. */
  readonly path: string;
  /** The values in the path: an integer is the id of a filled row, a text is the example of the document. */
  readonly parts: readonly string[];
  /** The required parameters of the query, with the examples of the document; empty, or with `&` at its end. */
  readonly required: string;
  /** The words of the parameter `sort`. */
  readonly orders: readonly string[];
  readonly ofSeveral: readonly string[];
  /** A value for each parameter that selects items, from the examples of the document. */
  readonly examples: Readonly<Record<string, string>>;
  /** The properties of its items, as the document describes them. */
  readonly item: Readonly<Record<string, Schema>>;
}

/** A parameter that is a bound on a property, as the responses of the list show. */
export interface Bound {
  readonly field: string;
  readonly property: string;
  readonly isUpper: boolean;
}

/** The parameters of every list, and the order. All others select items. */
const NOT_SELECTING = ['limit', 'cursor', 'sort'];

export function listsOf(app: INestApplication, { paths, components }: Document): List[] {
  const resolve = (schema: Schema): Schema => {
    const name = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
    return name === undefined ? schema : resolve(components.schemas[name]!);
  };
  const routes = app.get(Routes, { strict: false }).all();
  return [...addressesIn(paths, routes)].flatMap(([route, addresses]) => {
    const types = declaredParametersOf(route).map(
      ({ declaredType }) => declaredType as typeof PageQuery | undefined,
    );
    const query = types.find((type) => type?.prototype instanceof PageQuery);
    const [address] = addresses;
    // A list of another version is not in the document.
    if (!query || !address) return [];
    const { path } = address;
    const { parameters: described = [], responses } = paths[path]!['get']!;
    const content = responses['200']!.content!['application/json'] as { schema: Schema };
    const of = (where: string) => described.filter((one) => one.in === where);
    const exampleOf = ({ name, schema, example }: Parameter) => {
      const { enum: words, ...rest } = resolve(schema);
      const found = example ?? schema.example ?? rest.example ?? words?.[0];
      if (found === undefined)
        throw new Error(
          `Give the parameter ${name} of ${path} an \`example\` in its DTO, then run npm run document.`,
        );
      return encodeURIComponent(found as string);
    };
    const required = of('query').filter((one) => one.required);
    const parts = of('path').map((one): [string, string] => [
      one.name,
      resolve(one.schema).type === 'integer' ? FILLED_ID : exampleOf(one),
    ]);
    const examples = of('query').filter(({ name }) => !NOT_SELECTING.includes(name));
    const sort = of('query').find(({ name }) => name === 'sort');
    const { items } = resolve(content.schema) as { items?: Schema };
    const item = Object.entries(resolve(items!).properties!).map(([field, of]) => [field, resolve(of)]);
    return [
      {
        ofSeveral: described.flatMap(({ name, schema }) => (resolve(schema).items ? name : [])),
        path: parts.reduce((text, [name, value]) => text.replace(`{${name}}`, value), `/v1${path}`),
        parts: parts.map(([, value]) => value),
        required: required.map((one) => `${one.name}=${exampleOf(one)}&`).join(''),
        orders: sort ? (resolve(sort.schema).enum ?? []).map(String) : [],
        examples: Object.fromEntries(examples.map((one) => [one.name, exampleOf(one)])),
        item: Object.fromEntries(item) as List['item'],
      },
    ];
  });
}

/** What a list says of a bound on a property if the list is sorted by another one. */
const OF_OTHER_ORDER = /^is for a list that is sorted by (\w+); send sort=/;

/** The bounds of a list: in a list that is sorted by id, they are rejected with the name of their property. */
export async function boundsOf(list: List, client: ApiClient): Promise<Bound[]> {
  const { path, required, orders, examples } = list;
  if (!orders.includes('id')) return [];
  const bounds: Bound[] = [];
  for (const [field, example] of Object.entries(examples)) {
    const { json } = await client.get(`${path}?${required}sort=id&${field}=${example}`);
    const { details = [] } = json as { details?: { message: string }[] };
    const [, property] = OF_OTHER_ORDER.exec(details[0]?.message ?? '') ?? [];
    if (property !== undefined)
      bounds.push({ field, property, isUpper: await isUpper(list, field, property, client) });
  }
  return bounds;
}

/** Whether a bound excludes its own value. A list without items cannot show it. */
async function isUpper({ path, required }: List, field: string, property: string, client: ApiClient) {
  const greatestWith = async (bound: string) => {
    const { json } = await client.get(`${path}?${required}sort=-${property}&limit=1&${bound}`);
    return (json as unknown as Item[])[0]?.[property] ?? undefined;
  };
  const greatest = await greatestWith('');
  if (greatest === undefined) return false;
  return (await greatestWith(`${field}=${encodeURIComponent(greatest)}`)) !== greatest;
}

/**
 * Queries for every sort order: alone, with each filter, and with each bound of a range of the sort field. Filters that share an
 * index are also combined, in the order of that index. Values come from the items, or from the document if there are no items.
 */
export function queriesOf(
  { path, required, ofSeveral, item: described, examples, orders: words }: List,
  bounds: readonly Bound[],
  items: readonly Item[],
  indices: EntityMetadata['indices'],
): string[] {
  const filters = Object.keys(examples).filter(
    (field) => !`&${required}`.includes(`&${field}=`) && !bounds.some((bound) => bound.field === field),
  );
  /** The filter for the least or the greatest value of the items. */
  const choose = (field: string, property: string, greatest = false) => {
    if (items.length === 0 || !described[property]) return [`${field}=${examples[field]}`];
    const values = items.map((item) => item[property]).filter((one) => one !== undefined && one !== null);
    const sorted = values.toSorted((a, b) => (a < b ? -1 : 1));
    const value = sorted.at(greatest ? -1 : 0);
    if (value === undefined)
      throw new Error(
        `The filter ${field} of ${path} is not tested, because no item has a value for ${property}: let the schema of the entity map the property.`,
      );
    const other = ofSeveral.includes(field) ? `,${sorted[0]},${sorted[1]}` : '';
    return [`${field}=${encodeURIComponent(value)}${other}`];
  };
  const orders = ['', ...words.map((word) => `sort=${word}`)];
  const byOf = (order: string) => order.replace(/^sort=-?/, '');
  const ranged = (order: string, filter: string) => {
    const ranges = bounds.filter(({ property }) => property === byOf(order));
    const ends = ranges.flatMap((bound) => choose(bound.field, bound.property, bound.isUpper));
    return ['', ...ends, ...(ends.length > 1 ? [ends.join('&')] : [])].map((range) =>
      [order, filter, range].filter(Boolean).join('&'),
    );
  };
  const alone = ['', ...filters.flatMap((field) => choose(field, field))];
  const together = indices.flatMap(({ columns }) => {
    const names = columns.map(({ propertyName }) => propertyName);
    const count = [...names, ''].findIndex((name) => !filters.includes(name));
    if (count < 2) return [];
    const by = names[count] ?? 'id';
    const filter = names.slice(0, count).flatMap((name) => choose(name, name));
    return orders
      .filter((order) => (byOf(order) || 'id') === by)
      .flatMap((order) => ranged(order, filter.join('&')));
  });
  return [...alone.flatMap((filter) => orders.flatMap((order) => ranged(order, filter))), ...together];
}

/** A statement that selects the numbers from 1 to `count` as `n`, by the name of the engine. */
export const NUMBERS_TO: Readonly<Record<string, (count: number) => string>> = {
  SQLite: (count) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) SELECT n FROM numbers`,
  MariaDB: (count) => `SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_${count}`,
};

/** Table, columns and values of a row of a list, as SQL expressions of the number `n` that fit the schema of its items. */
export function fillingOf(
  { item }: List,
  { columns, indices, uniques, tableName }: EntityMetadata,
): [string, string, string] {
  const unique = [...indices.filter(({ isUnique }) => isUnique), ...uniques].flatMap((one) => one.columns);
  const values = columns.map((column) => {
    const { propertyName, isPrimary, isNullable, type, length } = column;
    const schema = item[propertyName];
    const isKey = isPrimary || unique.includes(column);
    const value = valueOf(schema, String(type), Number(length) || 255, isKey);
    return isNullable ? `CASE WHEN n % 4 = 0 THEN NULL ELSE ${value} END` : value;
  });
  return [tableName, columns.map(({ databaseName }) => databaseName).join(', '), values.join(', ')];
}

function valueOf(schema: Schema = {}, column: string, length: number, isKey: boolean): string {
  const { enum: words, format, type } = schema;
  if (/json/.test(column) || schema.type === 'array')
    return `'${JSON.stringify(jsonOf(schema)).replaceAll("'", "''")}'`;
  if (words)
    return `CASE n % ${words.length} ${words.map((word, i) => `WHEN ${i} THEN '${word}'`).join(' ')} END`;
  if (/blob|binary/.test(column)) return `UNHEX(SUBSTR(CONCAT(10000000 + n), -${2 * Math.min(length, 4)}))`;
  if (column === 'year') return '1971 + n % 60';
  if (/datetime|timestamp/.test(column))
    return `CONCAT(1971 + n % 60, '-0', 1 + n % 9, '-1', n % 10, ' 10:00:00')`;
  if (format === 'date' || column === 'date') return `CONCAT(1000 + n % 4999, '-0', 1 + n % 9, '-1', n % 10)`;
  if (isKey && (schema.maximum ?? Infinity) > Number(FILLED_ID) + ROWS) return `n + ${Number(FILLED_ID) - 1}`;
  // Few rows share an instant, also among rows that share a number, so a page in any order has several values.
  if (format === 'date-time') return '1700000000000 + (n % 4999) * 1000';
  if (type === 'boolean') return 'n % 2';
  const { minimum = 1, maximum = minimum + 99 } = schema;
  return /int|decimal|numeric|double|float|real/.test(column)
    ? `${minimum} + n % ${Math.min(maximum - minimum + 1, isKey ? ROWS : 100)}`
    : `SUBSTR(CONCAT(n % 100, 'x'), 1, ${length})`;
}

/** The example, or the least valid value. */
function jsonOf({ example, type, required = [], properties = {} }: Schema): unknown {
  if (example !== undefined) return example;
  if (type === 'array') return [];
  return Object.fromEntries(required.map((name) => [name, jsonOf(properties[name]!)]));
}

/**
 * Executes statements that fill tables, without foreign key checks. Bypasses the service, whose statement timeout may be too
 * short on a busy machine.
 */
export async function withoutForeignKeys(database: TestDatabase, ...statements: string[]): Promise<void> {
  const check = database.url.startsWith('mysql:') ? 'SET foreign_key_checks = 0' : 'PRAGMA foreign_keys = 0';
  await database.execute(check, ...statements);
}
