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
  const database = decoded(url.pathname.slice(1));
  if (url.hostname === '') throw new Error('names no host');
  if (url.search !== '') throw new Error('has options after a question mark, which are not known');
  // A slash means that a character of the password was taken for the end of the host.
  if (!/^[^/]+$/.test(database)) {
    throw new Error(
      'must name one database after the host; characters like / @ : in a password are written as %2F %40 %3A',
    );
  }
  return {
    engine: 'mysql',
    // Brackets belong to the URL (RFC 3986 section 3.2.2), not to the address.
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port || 3306),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('has a % that does not begin an escaped character');
  }
}

/** The database in words fit for a log or a terminal: without the password. */
export function describeDatabase(url: DatabaseUrl): string {
  if (url.engine === 'mysql') return `MySQL ${url.database} on ${url.host}:${url.port}`;
  return url.file === ':memory:' ? 'SQLite in memory (gone when the service stops)' : `SQLite ${url.file}`;
}
