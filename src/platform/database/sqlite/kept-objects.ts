import type { Database as SqliteFile, Statement } from 'better-sqlite3';

/** References that prevent garbage collection. */
const kept: unknown[] = [];

/**
 * Since Node 24.19 the process dies when an object of better-sqlite3 12 is collected. The destructor of Node's `ObjectWrap` asks for an
 * environment, which does not exist during a collection. better-sqlite3 13 works without `ObjectWrap`, but it does not run on Node 20.
 */
const MUST_BE_KEPT = Number.parseInt(process.versions.node, 10) >= 24;

/** The service has fewer statements. TypeORM also writes limits, offsets and the ids of joined rows into the text. */
const MAX_PREPARED = 1_000;

/** Prepares each text only once, and keeps a SQLite file and its statements until the process ends where that is necessary. */
export function keepObjects(file: SqliteFile): void {
  kept.push(file);
  const prepare = file.prepare.bind(file);
  const prepared = new Map<string, Statement>();
  file.prepare = ((text: string) => {
    let statement = prepared.get(text);
    if (!statement) {
      statement = prepare(text);
      if (!MUST_BE_KEPT && prepared.size === MAX_PREPARED) prepared.delete(prepared.keys().next().value!);
      prepared.set(text, statement);
    }
    return statement;
  }) as SqliteFile['prepare'];
  // The original `pragma` creates a statement that cannot be kept. TypeORM reads the schema with it, and expects numbers.
  file.pragma = (text) => {
    if (text.includes('=')) return file.exec(`PRAGMA ${text}`);
    return file.prepare(`PRAGMA ${text}`).safeIntegers(false).all();
  };
}
