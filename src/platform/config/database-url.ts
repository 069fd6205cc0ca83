import { isIP } from 'node:net';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** Where the database is: in one local file, or on MySQL-compatible servers that hold the same data. */
export type DatabaseUrl =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'mysql';
      /** The first healthy one is used. */
      readonly hosts: readonly DatabaseHost[];
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** Whether the servers must present a certificate for their name. */
      readonly tls: boolean;
    };

export const DATABASE_URL_FORMS =
  'sqlite:./data/petstore.db, sqlite::memory: or mysql://user:password@host:3306,host2:3306/petstore?tls=verify';

const ESCAPES = 'characters like / @ : ? # % in a password are written as %2F %40 %3A %3F %23 %25';

/** `URL` cannot parse several hosts, which RFC 3986 does not allow. */
const MYSQL =
  /^mysql:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^@/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<options>.*))?$/;
/** A name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 section 3.2.2), and a port. */
const HOST = /^(?:\[(?<address>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/;

/** Parses a `DATABASE_URL`. @throws Error whose message never repeats the URL, because it may contain a password */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  if (text.startsWith('sqlite:')) return { engine: 'sqlite', file: parseFile(text.slice('sqlite:'.length)) };
  const parts = MYSQL.exec(text)?.groups;
  if (!parts && /^mysql:.*@.*@/.test(text)) throw new Error(`has two @; ${ESCAPES}`);
  if (!parts) throw new Error(`must look like ${DATABASE_URL_FORMS}`);
  const database = decoded(parts['database'] ?? '');
  // A slash here means that a character of the password was parsed as the end of the host.
  if (!/^[^/]+$/.test(database)) {
    throw new Error(`must name one database after the host; ${ESCAPES}`);
  }
  const hosts = (parts['hosts'] ?? '').split(',').map(parseHost);
  const tls = parseOptions(parts['options']);
  // mysql2 would compare the certificate of an address with the name "localhost".
  if (tls && hosts.some(({ host }) => isIP(host) !== 0)) {
    throw new Error('must name its hosts, not their addresses, for tls=verify to check their names');
  }
  return {
    engine: 'mysql',
    hosts,
    user: decoded(parts['user'] ?? ''),
    password: decoded(parts['password'] ?? ''),
    database,
    tls,
  };
}

/** Paths that programs read in different ways, and how to write what is meant. */
const UNCLEAR_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'names no file; write sqlite:./data/petstore.db'],
  // Both are allowed in the name of a file, but SQLite's driver removes the blanks.
  [/\p{Cc}|^\s|\s$/u, 'has a control character in the path, or a blank at its end; rename the file'],
  [/^\/\//, 'has two slashes before the path; write sqlite:/data/petstore.db, or sqlite:./data/petstore.db'],
  [/^file:/i, 'has file: before the path; write the path alone, as in sqlite:/data/petstore.db'],
  [/^~/, 'has a ~, which only a shell knows; write the whole path, as in sqlite:/home/me/petstore.db'],
  [/[?#]/, 'has a ? or #, but SQLite has no options here; leave them out, or rename the file'],
  [/\/$/, 'names a folder; name a file in it, as in sqlite:./data/petstore.db'],
];

/** The path of a file, used as it is: nothing in it is escaped. */
function parseFile(path: string): string {
  if (path === ':memory:') return path;
  const [, mistake] = UNCLEAR_PATHS.find(([pattern]) => pattern.test(path)) ?? [];
  if (mistake !== undefined) throw new Error(mistake);
  const isClear = /^\.{0,2}\//.test(path) || (process.platform === 'win32' && /^[A-Z]:\//i.test(path));
  if (!isClear)
    throw new Error(
      'must begin its path with ./ or /; write sqlite:./petstore.db, sqlite:/data/petstore.db or sqlite::memory:',
    );
  return path;
}

function parseHost(text: string): DatabaseHost {
  const { address, name, port = '3306' } = HOST.exec(text)?.groups ?? {};
  const host = address ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error('names no host, or one that is not written as host:3306, with commas between several');
  }
  return { host, port: Number(port) };
}

function parseOptions(text: string | undefined): boolean {
  if (text === undefined || text === '') return false;
  if (text !== 'tls=verify') throw new Error('may have one option only, tls=verify');
  return true;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`has a % that does not begin an escaped character; ${ESCAPES}`);
  }
}

/** The database for logs and terminals, without the password. */
export function describeDatabase(url: DatabaseUrl): string {
  if (url.engine === 'mysql') {
    return `MySQL ${url.database} on ${url.hosts.map(describeHost).join(', ')}`;
  }
  return url.file === ':memory:' ? 'SQLite in memory (lost when the service stops)' : `SQLite ${url.file}`;
}

export const describeHost = ({ host, port }: DatabaseHost): string => `${host}:${port}`;
