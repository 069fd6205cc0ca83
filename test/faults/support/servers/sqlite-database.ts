import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { forgetFolder, keepFolder } from '../../../support/processes/keeper.js';

/** A database in its own file, which can be accessed without the service. */
export class SqliteDatabase {
  readonly folder = mkdtempSync(join(tmpdir(), 'petstore-faults-'));
  readonly file = join(this.folder, `${randomUUID()}.db`);

  constructor() {
    keepFolder(this.folder);
  }

  get url(): string {
    return `sqlite:${this.file}`;
  }

  query(statement: string): Record<string, unknown>[] {
    return this.#with((file) => file.prepare(statement).all() as Record<string, unknown>[]);
  }

  execute(statement: string): void {
    this.#with((file) => file.exec(statement));
  }

  /** The result of SQLite's integrity check: `ok`, or what is broken. */
  get integrity(): string {
    return String(this.query('PRAGMA integrity_check')[0]!['integrity_check']);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }

  #with<Result>(work: (file: SqliteFile.Database) => Result): Result {
    const file = new SqliteFile(this.file);
    try {
      return work(file);
    } finally {
      file.close();
    }
  }
}
