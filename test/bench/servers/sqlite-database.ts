import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BenchDatabase } from './database.js';

/** The service creates the file itself when it migrates. */
export function sqliteIn(folder: string): BenchDatabase {
  const file = join(folder, 'petstore.db');
  const version = new Database(':memory:').prepare<[], string>('SELECT sqlite_version()').pluck().get();
  return {
    url: `sqlite:${file}`,
    version: `SQLite ${version}`,
    async resetTo(lastId) {
      const database = new Database(file);
      database.prepare('DELETE FROM pets WHERE id > ?').run(lastId);
      database.prepare(`UPDATE sequences SET next_id = ? WHERE name = 'pets'`).run(lastId + 1);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
    async countAfter(lastId) {
      const database = new Database(file, { readonly: true });
      const count = database
        .prepare<[number], number>('SELECT COUNT(*) FROM pets WHERE id > ?')
        .pluck()
        .get(lastId);
      database.close();
      return count ?? 0;
    },
    async stop() {},
  };
}
