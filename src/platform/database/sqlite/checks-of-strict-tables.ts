import { type QueryRunner, type Table, TableCheck } from 'typeorm';

/** TypeORM's pattern, without the text behind the last bracket, where it misses the last CHECK of a STRICT table. */
const CHECK = /CONSTRAINT "([^"]*)" CHECK ?(\(.*?\))(?:,|\)$)/gs;

export async function addChecksOfStrictTables(runner: QueryRunner, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const strict = (await runner.query(
    `SELECT m.name, m.sql FROM sqlite_master m, pragma_table_list(m.name) l WHERE m.type = 'table' AND l.schema = 'main' AND l.strict`,
  )) as { name: string; sql: string }[];
  for (const { name, sql } of strict) {
    const table = tables.find((one) => one.name === name);
    const definitions = sql.slice(0, sql.lastIndexOf(')') + 1);
    if (table)
      table.checks = [...definitions.matchAll(CHECK)].map(
        ([, check, expression]) => new TableCheck({ name: check!, expression: expression! }),
      );
  }
}
