import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DatabaseUrl, describeDatabase } from '../../config/database-url.js';
import { DatabaseUnusable } from '../errors.js';
import { keepObjects } from './kept-objects.js';

/** Another service uses the file, which the message names. */
export class DatabaseFileLocked extends Error {}

/**
 * The file of a SQLite database, whatever the spelling of its path. SQLite keeps recent commits beside it, in `-wal`, so a file must
 * have one name for all processes, and must not be taken away while it is open.
 */
export class DatabaseFile {
  /** Device and inode of each file when `check` first saw it. */
  readonly #seen = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly name: string,
    private readonly given: string,
    /** Absolute, without links. */
    readonly path: string,
  ) {}

  /**
   * Finds the file, or creates it and its folder. `mounts` is a table as in proc_pid_mountinfo(5), which only Linux has. @returns
   * undefined for other databases @throws DatabaseUnusable if it cannot be opened, or has several names
   */
  static open(url: DatabaseUrl, mounts = '/proc/self/mountinfo'): DatabaseFile | undefined {
    if (url.engine !== 'sqlite' || url.file === ':memory:') return undefined;
    const name = describeDatabase(url);
    const path = permitted(name, () => {
      createIfAbsent(url.file, constants.R_OK);
      const real = realPathOf(url.file);
      // SQLite makes this file, or says no more than that it cannot open the database.
      if (!existsSync(`${real}-wal`)) accessSync(`${dirname(real)}/.`, constants.W_OK);
      return real;
    });
    const refusal = unfit(path, mounts);
    if (refusal) throw new DatabaseUnusable(`${name} cannot be used: ${path} ${refusal[0]}.`, refusal[1]);
    return new DatabaseFile(name, url.file, path);
  }

  /**
   * Makes this process the only service of the file: two would generate the same ids and miss each other's changes of keys. The lock
   * is on a file beside it, and the system releases it however the process ends. Commands need none. @throws DatabaseFileLocked
   * @throws DatabaseUnusable if the file beside it cannot be opened
   */
  async lock(): Promise<void> {
    const { default: SqliteFile } = await import('better-sqlite3');
    permitted(this.name, () => {
      createIfAbsent(`${this.path}-service`, constants.R_OK | constants.W_OK);
      const lock = new SqliteFile(`${this.path}-service`, { timeout: 0 });
      keepObjects(lock);
      lock.pragma('locking_mode = EXCLUSIVE');
      lock.exec('BEGIN EXCLUSIVE');
    });
  }

  /** Checks each second. `changed` gets a problem once, and undefined when the same files are back. */
  watch(changed: (problem: DatabaseUnusable | undefined) => void): void {
    let hadProblem = false;
    const look = () => {
      const problem = this.check();
      if (hadProblem !== (hadProblem = problem !== undefined)) changed(problem);
    };
    look();
    this.#timer = setInterval(look, 1_000).unref();
  }

  stopWatching(): void {
    clearInterval(this.#timer);
  }

  /** Whether the paths still lead to the files that are open, which SQLite does not notice. @returns the problem */
  check(): DatabaseUnusable | undefined {
    for (const file of [this.given, ...BESIDE.map((suffix) => this.path + suffix)]) {
      const now = identityOf(file);
      const before = this.#seen.get(file) ?? now;
      if (before !== undefined) this.#seen.set(file, before);
      if (now === before) continue;
      const how = now === undefined ? 'deleted or moved' : 'replaced';
      const what = `${this.name} cannot be used: ${file} was ${how} while the service has it open.`;
      return new DatabaseUnusable(what, file === this.given ? restore(this.path) : RESTART);
    }
    return undefined;
  }
}

/** SQLite's log, its index, and the file of the lock. */
const BESIDE = ['-wal', '-shm', '-service'];

/** The path without links; of a file that does not exist, the path itself. */
export const realPathOf = (path: string) => (existsSync(path) ? realpathSync.native(path) : path);

/** When it stops, SQLite writes what the open `-wal` holds into the database. */
const RESTART = 'Stop the service at once with SIGTERM, which saves what was written, and start it again.';
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
function createIfAbsent(path: string, mode: number): void {
  try {
    accessSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a'));
  }
}

/** Why SQLite cannot use a file, or would keep commits beside one of its names only; and what to do. */
function unfit(path: string, mounts: string): readonly [string, string] | undefined {
  const stat = statSync(path);
  if (stat.isDirectory()) return ['is a folder (EISDIR)', `Name a file in it, such as ${path}/petstore.db.`];
  if (!stat.isFile()) return ['is no regular file', 'Name another in DATABASE_URL.'];
  if (stat.nlink > 1)
    return [
      'has several names (hard links)',
      'Delete the others, or copy it to a file of its own when nothing uses it.',
    ];
  // The fifth field is the mount point, with blanks as octal numbers.
  const escaped = path.replaceAll(/[\s\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const lines = existsSync(mounts) ? readFileSync(mounts, 'utf8').split('\n') : [];
  if (lines.some((line) => line.split(' ')[4] === escaped))
    return [
      'is mounted as a single file, without the files that SQLite keeps beside it',
      'Mount its folder instead.',
    ];
  return undefined;
}

const NO_SPACE = 'Free some space there, or name a file on another file system.';

/** Does what the system may refuse. @throws DatabaseFileLocked @throws DatabaseUnusable that names path, reason and user */
function permitted<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code = '', message, path = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('SQLITE_BUSY'))
      throw new DatabaseFileLocked(
        `${name} is in use by another running service. Stop it, or set DATABASE_URL to another file.`,
      );
    const user = process.getuid?.();
    const remedies: Record<string, string> = {
      EACCES: `Let this user write in ${dirname(path)} and to the files in it (chown), or name a file in another folder.`,
      EROFS: 'Mount that file system writable, or name a file on another.',
      ENOENT: 'Create the folder that this or its link leads to, or correct DATABASE_URL.',
      ENOSPC: NO_SPACE,
      SQLITE_FULL: NO_SPACE,
    };
    throw new DatabaseUnusable(
      `${name} cannot be used: ${message} (as user ${user}).`,
      remedies[code] ?? 'Correct the path in DATABASE_URL, or name a file in another folder.',
      { cause: error },
    );
  }
}
