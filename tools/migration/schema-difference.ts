import { escape } from 'mysql2';
import type { Query } from 'typeorm/driver/Query.js';
import type { ComparingDataSource } from './comparing-data-source.js';

/** The statements that change the tables of a database to match the schemas, and the statements that undo this. */
export interface Difference {
  readonly forwards: readonly string[];
  readonly backwards: readonly string[];
}

/**
 * Compares the tables of the database with the schemas of all modules, or `only` these tables and views. It does not change the
 * database.
 */
export async function differenceOf(
  source: ComparingDataSource,
  only?: readonly string[],
): Promise<Difference> {
  const others = source.entityMetadatas.filter(({ tableName }) => only && !only.includes(tableName));
  // TypeORM would drop views that are excluded from the comparison.
  const views = others.filter(({ tableType }) => tableType === 'view').map(({ tableName }) => tableName);
  const excluded = others.filter(({ tableType, synchronize }) => tableType !== 'view' && synchronize);
  for (const other of excluded) other.synchronize = false;
  await source.readCollations();
  const { upQueries, downQueries } = await source.driver
    .createSchemaBuilder()
    .log()
    .finally(() => excluded.forEach((other) => (other.synchronize = true)));
  const textsOf = (queries: readonly Query[]) =>
    queries
      .map((query) => readable(withValues(query, source)))
      .filter((text) => !views.some((view) => isOfView(text, view)));
  return { forwards: textsOf(upQueries), backwards: textsOf(downQueries).reverse() };
}

const isOfView = (text: string, view: string) =>
  /^(?:CREATE|DROP) VIEW ["`](.+?)["`]/.exec(text)?.[1] === view ||
  (text.includes('typeorm_metadata') && text.includes(`'VIEW'`) && text.includes(`'${view}'`));

/** TypeORM quotes these names with double quotes, which some modes of MySQL reject. */
const readable = (statement: string) =>
  statement.trim().replaceAll(/(CHARACTER SET|COLLATE) "(\w+)"/g, '$1 $2');

/**
 * Places in the statements on TypeORM's own table that contain the name of the database. It is another one where the migration
 * runs.
 */
const OF_DATABASE = /(?:`schema` = |VALUES \(DEFAULT, )$/;

/** A statement with its bound values inserted: names and expressions of views and computed columns. A migration is plain text. */
function withValues({ query, parameters }: Query, { driver, options }: ComparingDataSource): string {
  if (!parameters || parameters.length === 0) return query;
  const values = [...(parameters as string[])];
  const literal = options.type === 'mysql' ? escape : quoted;
  return query.replace(`\`${driver.database}\`.`, '').replaceAll('?', (_, at: number, text: string) => {
    const value = values.shift();
    return OF_DATABASE.test(text.slice(0, at)) ? 'DATABASE()' : literal(value!);
  });
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
