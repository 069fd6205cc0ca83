import { isDeepStrictEqual } from 'node:util';
import type { ComparingDataSource } from './comparing-data-source.js';
import { Refusal } from './refusal.js';
import type { Difference } from './schema-difference.js';

const DROPPED = /^ALTER TABLE `([^`]+)` DROP COLUMN `([^`]+)`$/;
const RENAMED = /^ALTER TABLE `([^`]+)` CHANGE `([^`]+)` `(?!\2`)([^`]+)`/;
/** TypeORM renames a column on SQLite by copying its table. */
const COPIED = /^INSERT INTO "(?:temporary_)?([^"]+)"\("(.*)"\) SELECT "(.*)" FROM /;
const ALONE = 'To rename a column, write a migration that changes nothing else in its table.';

/**
 * The columns that a migration drops or renames, as sentences. If exactly one column is gone and one is new, TypeORM renames it.
 * @throws Refusal if the engines differ
 */
export function changedColumns(sqlite: Difference, mysql: Difference): string[] {
  const isComputed = (table: string, column: string) =>
    mysql.backwards.some(
      (text) => text.startsWith(`ALTER TABLE \`${table}\` ADD \`${column}\` `) && text.includes(' AS ('),
    );
  const dropped = mysql.forwards
    .flatMap((text) => [DROPPED.exec(text)?.slice(1) ?? []])
    .filter(([table, column]) => table !== undefined && !isComputed(table, column!))
    .map(([table, column]) => `${column} of ${table} is dropped, with what is in it.`);
  const renamed = mysql.forwards.flatMap((text) => {
    const [, table, from, to] = RENAMED.exec(text) ?? [];
    return table === undefined ? [] : renaming(table, from!, to!);
  });
  const renamedOnSqlite = sqlite.forwards.flatMap((text) => {
    const [, table, to = '', from = ''] = COPIED.exec(text) ?? [];
    const names = to.split('", "');
    return from
      .split('", "')
      .flatMap((name, at) => (name === names[at] ? [] : renaming(table!, name, names[at]!)));
  });
  const other = renamedOnSqlite.find((sentence) => !renamed.includes(sentence));
  if (other) throw new Refusal(`On SQLite ${other} On MySQL ${dropped.join(' ')} ${ALONE}`);
  return dropped.length === 0 ? renamed : [...renamed, ...dropped, ALONE];
}

const renaming = (table: string, from: string, to: string) =>
  `${from} of ${table} becomes ${to}, with what is in it.`;

/** Sentences about tables that a migration creates although a table with the same columns exists that no schema describes. */
export async function abandonedTables(
  source: ComparingDataSource,
  { forwards }: Difference,
): Promise<string[]> {
  const stored = (await source.query(
    'SELECT table_name AS name, column_name AS col FROM information_schema.columns WHERE table_schema = DATABASE()',
  )) as Record<'name' | 'col', string>[];
  const abandoned = new Set(stored.map(({ name }) => name));
  for (const { tableName } of source.entityMetadatas) abandoned.delete(tableName);
  const columnsOf = (table: string) =>
    stored
      .filter(({ name }) => name === table)
      .map(({ col }) => col)
      .toSorted();
  return source.entityMetadatas.flatMap(({ tableName, columns }) => {
    if (!forwards.some((text) => text.startsWith(`CREATE TABLE \`${tableName}\` `))) return [];
    const own = columns.map(({ databaseName }) => databaseName).toSorted();
    const name = [...abandoned].find((one) => isDeepStrictEqual(columnsOf(one), own));
    if (name === undefined) return [];
    return `${tableName} is created without rows, and ${name} stays with its rows. To keep the rows, write ALTER TABLE ${name} RENAME TO ${tableName} instead.`;
  });
}
