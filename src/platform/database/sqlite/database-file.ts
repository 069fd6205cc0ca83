import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DatabaseUrl, describeDatabase } from '../../config/database-url.js';
import { DatabaseUnusable } from '../errors.js';
import { keepObjects } from './kept-objects.js';

/**
 * The file of a SQLite database, whatever the spelling of its path. SQLite keeps recent commits beside it, in `-wal`, so a file must
 * have one name for all processes, and must not be taken away while it is open.
 */
export class DatabaseFile {
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly name: string,
    private readonly given: string,
    /** Absolute, without links. */
    readonly path: string,
  ) {}

  /** Finds the file, or creates it and its folder. @returns undefined for other databases @throws DatabaseUnusable */
  static open(url: DatabaseUrl): DatabaseFile | undefined {
    if (url.engine !== 'sqlite' || url.file === ':memory:') return undefined;
    const name = describeDatabase(url);
    return permitted(name, () => {
      createIfAbsent(url.file);
      const path = realPathOf(url.file);
      // SQLite makes this file, or says no more than that it cannot open the database.
      if (!existsSync(`${path}-wal`)) accessSync(`${dirname(path)}/.`, constants.W_OK);
      const stat = statSync(path);
      if (stat.isFile() && stat.nlink === 1) return new DatabaseFile(name, url.file, path);
      const what = stat.isFile() ? 'has several names (hard links)' : 'is a folder or device';
      throw new DatabaseUnusable(
        `${name} cannot be used: ${path} ${what}.`,
        'Name a file in DATABASE_URL, such as ./data/petstore.db, that has no other name.',
      );
    });
  }

  /**
   * Makes this process the only service of the file: two would generate the same ids and miss each other's changes of keys. The lock
   * is on a file beside it, and the system releases it however the process ends. Commands need none. @throws DatabaseUnusable
   */
  async lock(): Promise<void> {
    const { default: SqliteFile } = await import('better-sqlite3');
    permitted(this.name, () => {
      const lock = new SqliteFile(`${this.path}-service`, { timeout: 0 });
      // Refers to it until the process ends: collected, it would release the lock.
      keepObjects(lock);
      lock.exec('BEGIN EXCLUSIVE');
    });
  }

  /**
   * Compares the path with the file that is open, each second, because SQLite writes on into a file that was deleted. `changed` gets
   * a problem once, and undefined when the same file is back.
   */
  watch(changed: (problem: DatabaseUnusable | undefined) => void): void {
    const opened = identityOf(this.path);
    let last = opened;
    this.#timer = setInterval(() => {
      const now = identityOf(this.given);
      if (now === last) return;
      last = now;
      const how = now === undefined ? 'deleted or moved' : 'replaced';
      const what = `${this.name} cannot be used: ${this.given} was ${how} while the service has it open.`;
      changed(now === opened ? undefined : new DatabaseUnusable(what, restore(this.path)));
    }, 1_000).unref();
  }

  stopWatching(): void {
    clearInterval(this.#timer);
  }
}

/** The path without links; of a file that does not exist, the path itself. */
export const realPathOf = (path: string) => (existsSync(path) ? realpathSync.native(path) : path);

/** When it stops, SQLite writes what the open `-wal` holds into the file that it has open. */
const restore = (path: string) =>
  `Put the same file back, and the service goes on. If it is lost, stop the service at once, delete ${path}-wal and ${path}-shm, ` +
  'restore a backup, and start again.';

/** Device and inode; undefined if the path leads to no file. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** An existing file is not opened: closing it would release the locks that this process has on it. */
function createIfAbsent(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a'));
  }
}

/** Does what the system may refuse. @throws DatabaseUnusable that names path, reason and user */
function permitted<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    const { code = '', message, path = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('SQLITE_BUSY')) {
      const remedy = 'Stop it, or set DATABASE_URL to another file.';
      throw new DatabaseUnusable(`${name} is in use by another running service.`, remedy);
    }
    const remedy =
      code === 'EACCES'
        ? `Let this user write in ${dirname(path)} and to the files in it (chown), or name a file in another folder.`
        : 'Correct the path in DATABASE_URL, free some space there, or name a file in another folder.';
    const what = `${name} cannot be used: ${message} (as user ${process.getuid?.()}).`;
    throw new DatabaseUnusable(what, remedy, { cause: error });
  }
}
