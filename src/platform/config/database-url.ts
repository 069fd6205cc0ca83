import { isIP } from 'node:net';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** The location of the database: one local file, or MySQL-compatible servers that hold the same data. */
export type DatabaseUrl =
  | { readonly engine: 'sqlite'; readonly file: string }
  | {
      readonly engine: 'mysql';
      /** The service uses the first healthy host. */
      readonly hosts: readonly DatabaseHost[];
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** Whether the servers must present a certificate for their host name. */
      readonly tls: boolean;
    };

const MISTAKE =
  'must be sqlite:./petstore.db or sqlite:/data/petstore.db, the path of a file without ? and #, sqlite::memory:, ' +
  'or mysql://user:password@host:3306,host2:3306/petstore?tls=verify, where characters like / @ : ? # % in a password are written ' +
  'as %2F %40 %3A %3F %23 %25';

/**
 * A path that all programs read in the same way. SQLite's driver removes spaces at the end of a path, so they are not allowed.
 * Percent escapes are not decoded.
 */
const FILE = /^sqlite:(:memory:|\.{0,2}\/(?!\/)[^\p{Cc}?#]*(?<![/\s]))$/iu;

/** `URL` cannot parse several hosts, because RFC 3986 does not allow them. */
const MYSQL =
  /^mysql:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^@/?]*)\/(?<database>[^/?]+)(?<tls>\?tls=verify)?\??$/;
/** A name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 section 3.2.2), and a port. */
const HOST = /^(?:\[(?<address>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/;

/** Parses a `DATABASE_URL`. @throws Error whose message never repeats the URL, because it may contain a password */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const file = FILE.exec(text)?.[1];
  if (file !== undefined) return { engine: 'sqlite', file: /^:memory:$/i.test(file) ? ':memory:' : file };
  const { user = '', password = '', hosts: list = '', database = '', tls } = MYSQL.exec(text)?.groups ?? {};
  const hosts = list.split(',').map(parseHost);
  // mysql2 would compare the certificate of an IP address with the name "localhost".
  if (tls && hosts.some(({ host }) => isIP(host) !== 0)) {
    throw new Error('must name its hosts, not their addresses, for tls=verify to check their names');
  }
  try {
    return {
      engine: 'mysql',
      hosts,
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
      database: decodeURIComponent(database),
      tls: tls !== undefined,
    };
  } catch {
    throw new Error(MISTAKE);
  }
}

function parseHost(text: string): DatabaseHost {
  const { address, name, port = '3306' } = HOST.exec(text)?.groups ?? {};
  const host = address ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw new Error(MISTAKE);
  return { host, port: Number(port) };
}

/** The database for logs and terminals, without its password. */
export function describeDatabase(url: DatabaseUrl): string {
  if (url.engine === 'mysql') {
    return `MySQL ${url.database} on ${url.hosts.map(describeHost).join(', ')}`;
  }
  return url.file === ':memory:' ? 'SQLite in memory (lost when the service stops)' : `SQLite ${url.file}`;
}

export const describeHost = ({ host, port }: DatabaseHost): string => `${host}:${port}`;
