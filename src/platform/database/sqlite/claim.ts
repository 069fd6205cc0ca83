import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteFile from 'better-sqlite3';
import type { DatabaseUrl } from '../../config/database-url.js';
import { keepObjects } from './kept-objects.js';

/** The message names the file. */
export class FileTaken extends Error {}

/**
 * Makes this process the one service of a SQLite file: two would hand out the same ids and not see each other's keys. The
 * claim is a lock on a file beside it, which the system takes back however the process ends. The command line needs none.
 * @throws FileTaken if another service has it
 */
export function claim(url: DatabaseUrl): void {
  if (url.engine !== 'sqlite' || url.file === ':memory:') return;
  mkdirSync(dirname(url.file), { recursive: true });
  try {
    const lock = new SqliteFile(`${url.file}-service`, { timeout: 0 });
    keepObjects(lock);
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (!String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) throw error;
    throw new FileTaken(
      `SQLite ${url.file} belongs to another service that is running. Stop it, or set DATABASE_URL to another file.`,
    );
  }
}
