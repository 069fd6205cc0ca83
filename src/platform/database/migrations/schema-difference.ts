import { escape } from 'mysql2';
import type { Query } from 'typeorm/driver/Query.js';
import type { JoiningDataSource } from '../data-source.js';

/** The statements that bring the tables of a database to the schemas, and those that lead back. */
export interface Difference {
  readonly forwards: readonly string[];
  readonly backwards: readonly string[];
}

/** Compares the tables of the database with the schemas of all modules, or `only` these tables and views. Changes nothing. */
export function differenceOf(source: JoiningDataSource, only?: readonly string[]): Promise<Difference> {
  const others = source.entityMetadatas.filter(({ tableName }) => only && !only.includes(tableName));
  // TypeORM would drop a view that is not to be compared.
  const views = others.filter(({ tableType }) => tableType === 'view').map(({ tableName }) => tableName);
  for (const other of others) other.synchronize &&= other.tableType === 'view';
  return source.beforeOpen(async () => {
    const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
    const textsOf = (queries: readonly Query[]) =>
      queries
        .map((query) => readable(withValues(query, source)))
        .filter((text) => !views.some((view) => isOfView(text, view)));
    return { forwards: textsOf(upQueries), backwards: textsOf(downQueries).reverse() };
  });
}

const isOfView = (text: string, view: string) =>
  /^(?:CREATE|DROP) VIEW ["`](.+?)["`]/.exec(text)?.[1] === view ||
  (text.includes('typeorm_metadata') && text.includes(`'VIEW'`) && text.includes(`'${view}'`));

/** TypeORM writes these names in double quotes, which not every mode of MySQL takes. */
export const readable = (statement: string) =>
  statement.trim().replaceAll(/(CHARACTER SET|COLLATE) "(\w+)"/g, '$1 $2');

/** Where TypeORM's own table is told the name of the database, which is another one where the migration runs. */
const OF_DATABASE = /(?:`schema` = |VALUES \(DEFAULT, )$/;

/** What TypeORM binds: the names and expressions of views and computed columns. A migration is plain text. */
function withValues({ query, parameters }: Query, { driver, options }: JoiningDataSource): string {
  if (!parameters || parameters.length === 0) return query;
  const values = [...(parameters as string[])];
  const literal = options.type === 'mysql' ? escape : quoted;
  return query.replace(`\`${driver.database}\`.`, '').replaceAll('?', (_, at: number, text: string) => {
    const value = values.shift();
    return OF_DATABASE.test(text.slice(0, at)) ? 'DATABASE()' : literal(value!);
  });
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
