import { chmodSync, existsSync, linkSync, unlinkSync } from 'node:fs';
import type { Database as SqliteFile } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { createPrivate } from './database-file.js';

/** The database cannot be backed up into this file. */
class NoBackup extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'no_backup';
}

/** More pages than a file has in practice. */
const ALL_PAGES = 0x7fff_ffff;

/**
 * Copies the state of a SQLite database at one moment into a new file, while the service keeps running. The file exists only when it is
 * complete. A killed backup leaves a file beside it, which the next backup overwrites. @throws NoBackup on MySQL, which has its own tools,
 * and if the file exists
 */
export async function backUp(source: DataSource, file: string): Promise<void> {
  if (!(source.driver instanceof BetterSqlite3Driver))
    throw new NoBackup(
      'This command backs up SQLite only. For MySQL, use mariadb-dump as docs/operations.md describes.',
    );
  if (existsSync(file)) throw new NoBackup(exists(file));
  const connection = source.driver.databaseConnection as SqliteFile;
  // All pages are copied in one step. Between two steps any commit of another process would make SQLite begin again, on a busy file for ever.
  const progress = () => ALL_PAGES;
  const partial = `${file}.partial`;
  const isNew = !existsSync(partial);
  createPrivate(partial);
  // A killed backup of an earlier version may have left the file readable for everybody.
  chmodSync(partial, 0o600);
  await connection.backup(partial, { progress }).catch((error: unknown) => {
    if (isNew) unlinkSync(partial);
    throw error;
  });
  try {
    // Unlike a rename, a link never replaces a file that somebody else has made meanwhile.
    linkSync(partial, file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NoBackup(
      code === 'EEXIST' ? exists(file) : `${message}. The copy is whole: rename ${partial} yourself.`,
    );
  }
  unlinkSync(partial);
}

const exists = (file: string) => `${file} exists. Name a file that does not.`;
