/** Where the data lives: one file on this machine, or a MySQL-compatible server. */
export type DatabaseUrl =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };

export const DATABASE_URL_FORMS =
  'sqlite:./data/petstore.db, sqlite::memory: or mysql://user:password@host:3306/petstore';

/** Reads a `DATABASE_URL`. @throws Error with a message that never repeats the URL, for it may hold a password */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length);
    if (file === '') throw new Error('names no file');
    return { engine: 'sqlite', file };
  }
  if (!text.startsWith('mysql://') || !URL.canParse(text))
    throw new Error(`must look like ${DATABASE_URL_FORMS}`);

  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw new Error('names no database after the host');
  return {
    engine: 'mysql',
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
  };
}

/** The database in words fit for a log or a terminal: without the password. */
export function describeDatabase(url: DatabaseUrl): string {
  if (url.engine === 'mysql') return `MySQL ${url.database} on ${url.host}:${url.port}`;
  return url.file === ':memory:' ? 'SQLite in memory (gone when the service stops)' : `SQLite ${url.file}`;
}
