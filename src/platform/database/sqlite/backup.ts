import type { Database as SqliteFile } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { DomainError } from '../../../kernel/domain-error.js';

/** The database cannot be backed up into this file. */
export class NoBackup extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'no_backup';
}

/** More pages than a file has in practice. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies a SQLite database, as of one moment, into a new file while the service keeps running. @throws NoBackup on MySQL, which
 * has its own tools
 */
export async function backUp(source: DataSource, file: string): Promise<void> {
  if (!(source.driver instanceof BetterSqlite3Driver))
    throw new NoBackup(
      'Only SQLite is backed up by this command. For MySQL use mariadb-dump: docs/operations.md.',
    );
  const connection = source.driver.databaseConnection as SqliteFile;
  // All pages in one step: between two steps any commit of another process makes SQLite begin again, on a busy file for ever.
  const progress = () => ALL_PAGES;
  await connection.backup(file, { progress });
}
