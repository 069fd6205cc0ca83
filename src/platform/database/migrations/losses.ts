import SqliteFile from 'better-sqlite3';
import type { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable } from '../database-errors.js';
import { keepObjects } from '../sqlite/kept-objects.js';

/** A table or a column that some statements drop. */
export interface Loss {
  readonly table: string;
  readonly column?: string;
  /** How many rows the table has, or have a value in the column; absent if counting takes too long. */
  readonly rows?: number;
}

type Column = Required<Pick<Loss, 'table' | 'column'>>;

/** The existing tables and columns that statements drop, with the number of rows that lose data. */
export async function lossesOf(source: JoiningDataSource, statements: readonly string[]): Promise<Loss[]> {
  return source.beforeOpen(async () => {
    const isSqlite = source.options.type === 'better-sqlite3';
    const lost = isSqlite ? await lostOnSqlite(source, statements) : await lostOnMySql(source, statements);
    return Promise.all(lost.map(async (loss) => ({ ...loss, ...(await rowsOf(source, loss)) })));
  });
}

async function rowsOf(source: JoiningDataSource, { table, column }: Loss): Promise<Pick<Loss, 'rows'>> {
  const escape = (name: string) => source.driver.escape(name);
  const counted = column === undefined ? '*' : escape(column);
  try {
    const [row] = await source.query<{ count: number }[]>(
      `SELECT COUNT(${counted}) AS count FROM ${escape(table)}`,
    );
    return { rows: Number(row!.count) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return {};
    throw error;
  }
}

/** Runs the statements on a copy of the tables without rows: on SQLite TypeORM changes a column by creating the table anew. */
async function lostOnSqlite(source: JoiningDataSource, statements: readonly string[]): Promise<Loss[]> {
  const tables = await source.query<{ sql: string }[]>(
    `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC`,
  );
  const copy = new SqliteFile(':memory:');
  keepObjects(copy);
  // As in a migration: tables are created anew while others refer to them.
  copy.pragma('foreign_keys = OFF');
  copy.pragma('legacy_alter_table = ON');
  for (const { sql } of tables) copy.exec(sql);
  const before = columnsIn(copy);
  for (const statement of statements) if (/^(?:CREATE|ALTER|DROP)\b/i.test(statement)) copy.exec(statement);
  const after = columnsIn(copy);
  copy.close();
  return [...new Set(before.map(({ table }) => table))].flatMap((table) => {
    const left = after.filter((one) => one.table === table).map(({ column }) => column);
    if (left.length === 0) return [{ table }];
    return before.filter((one) => one.table === table && !left.includes(one.column));
  });
}

const columnsIn = (file: SqliteFile.Database) =>
  file
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .all() as Column[];

const NAME = '(?:`([^`]+)`|(\\w+))';
const DROP_TABLE = new RegExp(`^DROP TABLE (?:IF EXISTS )?(?:${NAME}\\.)?${NAME}$`, 'i');
const ALTER_TABLE = new RegExp(`^ALTER TABLE (?:${NAME}\\.)?${NAME}\\s`, 'i');
const DROP_COLUMN = new RegExp(
  `\\bDROP (?:COLUMN )?(?!(?:INDEX|KEY|PRIMARY|FOREIGN|CONSTRAINT|CHECK|PARTITION)\\b)(?:IF EXISTS )?${NAME}`,
  'gi',
);

/** Parses the statements: MySQL has no place to try them without changing something. */
async function lostOnMySql(source: JoiningDataSource, statements: readonly string[]): Promise<Loss[]> {
  const named = statements.flatMap((statement): Loss[] => {
    const dropped = DROP_TABLE.exec(statement);
    if (dropped) return [{ table: (dropped[3] ?? dropped[4])! }];
    const altered = ALTER_TABLE.exec(statement);
    if (!altered) return [];
    const table = (altered[3] ?? altered[4])!;
    return [...statement.matchAll(DROP_COLUMN)].map(([, quoted, plain]) => ({
      table,
      column: quoted ?? plain!,
    }));
  });
  const there = await source.query<Column[]>(
    'SELECT table_name AS `table`, column_name AS `column` FROM information_schema.columns WHERE table_schema = DATABASE()',
  );
  return named.filter(({ table, column }) =>
    there.some((one) => one.table === table && (column === undefined || one.column === column)),
  );
}
