import type { Database as SqliteFile, Statement } from 'better-sqlite3';

/** References that keep objects from being collected. */
const kept: unknown[] = [];

/**
 * Keeps a SQLite file and its statements until the process ends, and prepares each text only once. From Node 24.19 on, the
 * process dies when an object of better-sqlite3 12 is garbage: the destructor of Node's `ObjectWrap` asks for an environment,
 * and during a collection there is none. better-sqlite3 13 does without `ObjectWrap`, but does not run on Node 20.
 */
export function keepObjects(file: SqliteFile): void {
  kept.push(file);
  const prepare = file.prepare.bind(file);
  const prepared = new Map<string, Statement>();
  file.prepare = ((text: string) => {
    let statement = prepared.get(text);
    if (!statement) {
      statement = prepare(text);
      kept.push(statement);
      prepared.set(text, statement);
    }
    return statement;
  }) as SqliteFile['prepare'];
  // The original creates a statement that cannot be kept. TypeORM reads the schema through it, and expects numbers.
  file.pragma = (text) => {
    if (text.includes('=')) return file.exec(`PRAGMA ${text}`);
    return file.prepare(`PRAGMA ${text}`).safeIntegers(false).all();
  };
}
