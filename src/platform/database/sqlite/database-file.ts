import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type DatabaseUrl, describeDatabase } from '../../config/database-url.js';
import { DatabaseUnusable } from '../errors.js';
import { keepObjects } from './kept-objects.js';

/**
 * The file of a SQLite database, whatever the spelling of its path. SQLite keeps recent commits in a file beside it, `-wal`. So all
 * processes must use the same name of the file, and nobody may move the file while it is open.
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
      // SQLite creates this file. If it cannot, it only reports that it cannot open the database.
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
   * Makes this process the only service of the file. Two services would generate the same ids, and miss each other's changes of keys. The
   * lock is on a file beside it, and the system releases it however the process ends. Commands need no lock. @throws DatabaseUnusable
   */
  async lock(): Promise<void> {
    const { default: SqliteFile } = await import('better-sqlite3');
    permitted(this.name, () => {
      createIfAbsent(`${this.path}-service`);
      const lock = new SqliteFile(`${this.path}-service`, { timeout: 0 });
      // A collected object would release the lock, so this reference lives until the process ends.
      keepObjects(lock);
      lock.exec('BEGIN EXCLUSIVE');
    });
  }

  /**
   * Compares the path with the open file each second, because SQLite continues to write into a deleted file. `changed` is called once with
   * the problem, and with undefined when the same file is back.
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

/** The path without links. If the file does not exist, the path itself. */
export const realPathOf = (path: string) => (existsSync(path) ? realpathSync.native(path) : path);

/** When the service stops, SQLite writes the content of `-wal` into the file that it has open. */
const restore = (path: string) =>
  `Put the same file back, and the service goes on. If it is lost, stop the service at once, delete ${path}-wal and ${path}-shm, ` +
  'restore a backup, and start again.';

/** Device and inode. Undefined without a file at the path. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Creates a file that does not exist. It does not open an existing file, because closing it would release this process's locks on it. */
function createIfAbsent(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // On a read-only file system, `mkdirSync` would report that the folder does not exist.
    accessSync(`${existingFolder(dirname(path))}/.`, constants.W_OK);
    mkdirSync(dirname(path), { recursive: true });
    createPrivate(path);
  }
}

/** The folder, or the nearest one above it that exists. */
const existingFolder = (folder: string): string =>
  existsSync(folder) ? folder : existingFolder(dirname(folder));

/** Creates a file that only this user can read, whatever the umask is. SQLite gives `-wal`, `-shm` and `-journal` the same mode. */
export const createPrivate = (path: string): void => closeSync(openSync(path, 'a', 0o600));

/** The folder or its file system is read-only, for this user or for everybody. */
const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Runs work that the system may reject. @throws DatabaseUnusable that names path, reason and user */
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
    const remedy = UNWRITABLE.has(code)
      ? `Let this user write in ${resolve(dirname(path))} and to the files in it (chown), or name a file in another folder.`
      : 'Correct the path in DATABASE_URL, free some space there, or name a file in another folder.';
    const what = `${name} cannot be used: ${message} (as user ${process.getuid?.()}).`;
    throw new DatabaseUnusable(what, remedy, { cause: error });
  }
}
