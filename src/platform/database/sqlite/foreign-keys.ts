import type { QueryRunner } from 'typeorm';
import { StatementFailed } from '../errors.js';

/**
 * TypeORM changes a table by creating a copy and renaming it. Foreign keys and views that refer to the table by name must not
 * follow that rename, but they must follow any other one. (https://sqlite.org/lang_altertable.html)
 */
export const GIVES_A_COPY_ITS_NAME =
  /^ALTER TABLE "?(?:temporary_)?(\w+)"? RENAME TO "?(?:temporary_)?\1"?$/i;

interface Dangling {
  readonly table: string;
  readonly parent: string;
}

/** The rows that refer to a missing row. */
export const danglingRows = (runner: QueryRunner): Promise<Dangling[]> =>
  runner.query('PRAGMA foreign_key_check') as Promise<Dangling[]>;

/** @throws StatementFailed if there are more than `before` */
export async function refuseDanglingRows(runner: QueryRunner, before: number): Promise<void> {
  const rows = await danglingRows(runner);
  if (rows.length <= before) return;
  const pairs = new Set(rows.map(({ table, parent }) => `of ${table} to ${parent}`));
  throw new StatementFailed(
    `SQLITE_CONSTRAINT_FOREIGNKEY (rows would refer to some that are not there: ${[...pairs].join(', ')})`,
    'COMMIT',
  );
}
