import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import { TypeORMError } from 'typeorm';
import { observed } from '../database-channels.js';
import { narrowed } from '../../json/json-number.js';
import type { SqliteMutex } from './sqlite-mutex.js';

/** Comments, then a transaction by hand, a temporary table, another file, or a pragma with a value, except those that only read. */
const FOR_EVERYBODY =
  /^(?:\s|;|--.*\n|\/\*[^]*?\*\/)*(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|CREATE\s+TEMP|PRAGMA\s+(?:\S+\.)?(?!\w+_(?:x?info|list|check|checkpoint)\b)\w+\s*[=(])/i;

/** @throws TypeORMError for a statement that would change the only connection, which belongs to everybody */
export function refuseForEverybody(text: string): void {
  if (FOR_EVERYBODY.test(text))
    throw new TypeORMError(
      'This statement would change the one connection of SQLite, which everybody shares. Use dataSource.transaction(...) for a transaction, and leave pragmas, temporary tables and other files to the platform.',
    );
}

/**
 * Runs a single statement outside of transactions, on SQLite's only connection, as soon as no transaction is open.
 * @returns rows, or the id of a new row, as TypeORM's runner does
 */
export async function runLone(
  file: SqliteFile,
  mutex: SqliteMutex,
  text: string,
  values: readonly unknown[],
): Promise<unknown> {
  refuseForEverybody(text);
  const run = () => observed(async () => outcomeOf(file.prepare(text), values));
  // A statement ends before any other code runs, so nobody has to wait for it.
  if (mutex.isFree) return run();
  const release = await mutex.acquire();
  try {
    return await run();
  } finally {
    release();
  }
}

function outcomeOf(statement: Statement, values: readonly unknown[]): unknown {
  // better-sqlite3 binds no booleans.
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  return inNumbers(statement.reader ? statement.all(...bound) : statement.run(...bound).lastInsertRowid);
}

/**
 * The file returns every integer as a bigint, so that none is rounded. Those that fit become numbers: in rows, and as the
 * generated id of a new row.
 */
export function inNumbers(raw: unknown): unknown {
  if (typeof raw === 'bigint') return narrowed(raw);
  if (Array.isArray(raw)) {
    for (const row of raw as Record<string, unknown>[]) {
      for (const column in row) {
        const value = row[column];
        if (typeof value === 'bigint') row[column] = narrowed(value);
      }
    }
  }
  return raw;
}
