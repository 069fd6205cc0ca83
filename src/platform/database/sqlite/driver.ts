import type { DatabaseUrl } from '../../config/database-url.js';
import { DatabaseUnusable } from '../errors.js';
import { keepObjects } from './kept-objects.js';

/**
 * Loads better-sqlite3 if the database is SQLite. Its native module is made for one version of Node.js. If it were loaded later, Nest
 * would log a failure with its stack, and TypeORM would hide the reason. @throws DatabaseUnusable
 */
export async function loadDriver({ engine }: DatabaseUrl): Promise<void> {
  if (engine !== 'sqlite') return;
  try {
    const { default: SqliteFile } = await import('better-sqlite3');
    // The native module is loaded with the first file.
    const file = new SqliteFile(':memory:');
    keepObjects(file);
    file.close();
  } catch (error) {
    // The message has several lines, and the last may be a list of paths.
    const [reason] = (error as Error).message.replaceAll('\n', ' ').split(/\. (?:Tried:|Please)/);
    throw new DatabaseUnusable(
      `better-sqlite3 cannot be loaded: ${reason} (Node.js ${process.version}).`,
      'Run "npm rebuild better-sqlite3" with this Node.js, or "npm ci" if the package is not installed.',
      { cause: error },
    );
  }
}
