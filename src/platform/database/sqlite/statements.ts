import { TypeORMError } from 'typeorm';
import { narrowed } from '../../json/json-number.js';

/** Comments, then a transaction by hand, a temporary table, another file, or a pragma with a value. Some pragmas with a value only read. */
const CHANGES_SHARED_CONNECTION =
  /^(?:\s|;|--.*\n|\/\*[^]*?\*\/)*(?:BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|CREATE\s+TEMP|PRAGMA\s+(?:\S+\.)?(?!\w+_(?:x?info|list|check|checkpoint)\b)\w+\s*[=(])/i;

/** @throws TypeORMError for a statement that would change the only connection, which all requests share */
export function rejectForEverybody(text: string): void {
  if (CHANGES_SHARED_CONNECTION.test(text))
    throw new TypeORMError(
      'This statement would change the one connection of SQLite, which everybody shares. Use dataSource.transaction(...) for a transaction, and leave pragmas, temporary tables and other files to the platform.',
    );
}

/**
 * The file returns every integer as a bigint, so that none is rounded. An integer that a number holds becomes a number, in rows and as
 * the generated id of a new row.
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
