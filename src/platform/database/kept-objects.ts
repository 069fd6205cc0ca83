import type { Database as SqliteFile } from 'better-sqlite3';

/** What is never collected. */
const kept: unknown[] = [];

/**
 * Keeps a SQLite file and its statements until the process ends. From Node 24.19 on, the process dies when an object of
 * better-sqlite3 12 is garbage: the destructor of Node's `ObjectWrap` asks for an environment, and during a collection there
 * is none. better-sqlite3 13 does without `ObjectWrap`, but does not run on Node 20. So prepare each text once only.
 */
export function keepObjects(file: SqliteFile): void {
  kept.push(file);
  const prepare = file.prepare.bind(file);
  file.prepare = ((text: string) => {
    const statement = prepare(text);
    kept.push(statement);
    return statement;
  }) as SqliteFile['prepare'];
  // Its own makes a statement that nobody sees. What it reads is not read through here.
  file.pragma = (text) => {
    file.exec(`PRAGMA ${text}`);
  };
}
