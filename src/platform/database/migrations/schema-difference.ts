import type { JoiningDataSource } from '../data-source.js';

/** The statements that bring the tables of a database to the schemas, and those that lead back. */
export interface Difference {
  readonly forwards: readonly string[];
  readonly backwards: readonly string[];
}

/** Compares the tables of the database with the schemas of all modules. Changes nothing. */
export function differenceOf(source: JoiningDataSource): Promise<Difference> {
  return source.beforeOpen(async () => {
    const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
    return {
      forwards: upQueries.map(({ query }) => readable(query)),
      backwards: downQueries.map(({ query }) => readable(query)).reverse(),
    };
  });
}

const readable = (statement: string) =>
  statement.trim().replaceAll(/(CHARACTER SET|COLLATE) "(\w+)"/g, '$1 $2');
