import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { type DatabaseUrl, describeDatabase } from '../../config/database-url.js';
import { DatabaseUnusable } from '../errors.js';
import { keepObjects } from './kept-objects.js';

/** Another service uses the file, which the message names. */
export class DatabaseFileLocked extends Error {}

/**
 * Makes this process the only service of a SQLite file: two services would generate the same ids and miss each other's changes
 * of keys. The lock is on a second file, and the system releases it however the process ends. Commands need no lock. @throws
 * DatabaseFileLocked if another service holds it @throws DatabaseUnusable if the lock file cannot be created
 */
export function lockDatabaseFile(url: DatabaseUrl): void {
  if (url.engine !== 'sqlite' || url.file === ':memory:') return;
  try {
    mkdirSync(dirname(url.file), { recursive: true });
    const lock = new SqliteFile(`${url.file}-service`, { timeout: 0 });
    keepObjects(lock);
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (!code.startsWith('SQLITE_BUSY'))
      throw new DatabaseUnusable(
        `${describeDatabase(url)} cannot be used: ${message}.`,
        'Name another folder in DATABASE_URL.',
        { cause: error },
      );
    throw new DatabaseFileLocked(
      `SQLite ${url.file} is in use by another running service. Stop it, or set DATABASE_URL to another file.`,
    );
  }
}
