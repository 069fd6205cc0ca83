/** Our own codes: a statement without an answer in time; no free connection in time; no host to try now. */
export const NO_ANSWER = 'DB_NO_ANSWER';
export const NO_CONNECTION = 'DB_NO_CONNECTION';
export const NO_HOST = 'DB_NO_HOST';

interface Row {
  /** Whether the same statement may succeed soon. */
  readonly retryable: boolean;
  /** Whether it is certain that nothing was executed. */
  readonly outcomeKnown: boolean;
  /** Codes of the network, mysql2 and SQLite; numbers of servers, for which mysql2 has no names or wrong ones. */
  readonly codes: string;
}

/** Why the database is unavailable, for MariaDB 10.11, MySQL 8 and SQLite. Any other error is that of a wrong statement. */
export const CLASSES = {
  /** No connection came about, on any host. */
  unreached: {
    retryable: false,
    outcomeKnown: true,
    codes: `ECONNREFUSED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL EMFILE ENFILE
      HANDSHAKE_SSL_ERROR HANDSHAKE_NO_SSL_SUPPORT ${NO_CONNECTION} ${NO_HOST}
      1040 1041 1042 1043 1129 1135 1203 1226 2002 2003 2005 9001`,
  },
  /** The server cannot take part now, for example a Galera node without its cluster. */
  refused: { retryable: true, outcomeKnown: true, codes: '1047 1290 3032 3100 3168 3781 3782 3783' },
  /** Reads go on, changes are refused. */
  read_only: { retryable: true, outcomeKnown: true, codes: 'SQLITE_READONLY 1036 1665 1792 1836 1874 1881' },
  /** Reads go on, there is no room for changes. */
  full: {
    retryable: false,
    outcomeKnown: true,
    codes: 'SQLITE_FULL SQLITE_IOERR_WRITE 1021 1114 3019 3675 4139',
  },
  /** Another transaction was faster, and the whole of this one was rolled back. */
  conflict: { retryable: true, outcomeKnown: true, codes: 'SQLITE_BUSY_SNAPSHOT 1020 1213 1614 3101' },
  /** Rolled back for another reason: it took too long, waited for a lock or was killed. */
  rolled_back: {
    retryable: true,
    outcomeKnown: true,
    codes: `SQLITE_BUSY SQLITE_LOCKED SQLITE_INTERRUPT SQLITE_NOMEM SQLITE_PROTOCOL SQLITE_SCHEMA
      1028 1037 1038 1105 1205 1206 1297 1317 1402 1412 1461 1613 1615 1637 1689 1969 3015 3024 3044 3572`,
  },
  /** The connection ended, or no answer came in time. */
  lost: {
    retryable: true,
    outcomeKnown: false,
    codes: `PROTOCOL_CONNECTION_LOST ECONNRESET EPIPE ${NO_ANSWER} SQLITE_IOERR_FSYNC SQLITE_IOERR_DIR_FSYNC
      1053 1077 1079 1080 1152 1154 1155 1156 1157 1158 1159 1160 1161 1180 1181 1182 1184 1835 1927 2006 2013 2055
      3169 4031`,
  },
  /** The server has no room for so large a statement; only a smaller one helps. */
  too_large: { retryable: false, outcomeKnown: true, codes: '1104 1119 1153 1162 1197 1436 1705 3231' },
  /** The server does not let the service in, or not to its tables. */
  denied: {
    retryable: false,
    outcomeKnown: true,
    codes: `SQLITE_PERM SQLITE_AUTH AUTH_SWITCH_PLUGIN_ERROR HANDSHAKE_UNKNOWN_ERROR MYSQL_CLEAR_PASSWORD_NOT_ENABLED
      1044 1045 1046 1049 1130 1142 1143 1227 1251 1275 1370 1449 1524 1698 1820 1862 1873 3118 3159 4150 4151`,
  },
  /** Files or tables are damaged or missing. */
  damaged: {
    retryable: false,
    outcomeKnown: true,
    codes: `SQLITE_CORRUPT SQLITE_NOTADB SQLITE_CANTOPEN SQLITE_IOERR
      1004 1005 1011 1012 1013 1015 1016 1017 1018 1023 1024 1025 1026 1027 1030 1032 1033 1034 1035 1039 1146 1194
      1195 1286 1296 1376 1467 1547 1548 1598 1712 1728 1805 1812 1814 1817 1877 1932 3000 3003 3185 4182`,
  },
} as const satisfies Record<string, Row>;

export type ErrorClass = keyof typeof CLASSES;

/** What an operator should do, by the codes that it helps against. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: start it, or check DATABASE_URL and its bind_address.',
  'ENOTFOUND EAI_AGAIN': 'No address is known of this host: look at DATABASE_URL and DNS.',
  [`ETIMEDOUT EHOSTUNREACH ENETUNREACH ${NO_CONNECTION} ${NO_ANSWER}`]:
    'It does not answer: check whether it hangs, and whether a firewall blocks this machine.',
  HANDSHAKE_SSL_ERROR:
    'Its certificate is not trusted: add its authority to NODE_EXTRA_CA_CERTS, and use the host name of the certificate.',
  HANDSHAKE_NO_SSL_SUPPORT:
    'It does not support TLS: configure a certificate (ssl_cert, ssl_key), or remove ?tls=verify from DATABASE_URL.',
  '3159': 'It demands TLS: add ?tls=verify to DATABASE_URL.',
  '1040 1203 1226': 'Raise max_connections of the server or the limit of its user, or lower DB_POOL_SIZE.',
  '1665': 'Its binlog_format is STATEMENT, which cannot log READ COMMITTED: SET GLOBAL binlog_format = ROW.',
  '1036 1290 1792 1836':
    'It takes no changes: SET GLOBAL read_only = 0 (or super_read_only, tx_read_only), or name the primary in DATABASE_URL.',
  SQLITE_READONLY: 'Give this user write permission for the file and its folder.',
  'SQLITE_FULL SQLITE_IOERR_WRITE 1021 1114': 'Free some space on its disk.',
  '1044 1142 1143':
    'The user lacks a privilege, or the name of the database is wrong: GRANT ALL ON <database>.* TO <user>.',
  '1045 1698':
    'It runs, but rejects this user with this password from this machine: check both in DATABASE_URL, where a % of the password is written %25, and at CREATE USER. If the server demands TLS, add ?tls=verify.',
  '1046 1049': 'It has no such database: CREATE DATABASE, or check the name in DATABASE_URL.',
  '1130': 'No user may come from this machine: CREATE USER <user>@<this machine>.',
  'AUTH_SWITCH_PLUGIN_ERROR 1251 1275 1524':
    'The driver does not know this kind of password: give the user mysql_native_password (MariaDB) or caching_sha2_password (MySQL).',
  'SQLITE_CANTOPEN SQLITE_NOTADB SQLITE_CORRUPT':
    'Check the file and its permissions, or set DATABASE_URL to another.',
};

const byCode = <Value>(entries: readonly (readonly [codes: string, Value])[]) =>
  new Map(entries.flatMap(([codes, value]) => codes.split(/\s+/).map((code) => [code, value] as const)));

const CLASS_OF = byCode(
  Object.entries(CLASSES).map(([name, { codes }]) => [codes, name as ErrorClass] as const),
);
const REMEDY_OF = byCode(Object.entries(REMEDIES));

/** From this number on MariaDB and MySQL have different errors, but mysql2 uses MySQL's names for both. */
const AMBIGUOUS = 4_000;

interface Thrown {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly fatal?: unknown;
  readonly message?: unknown;
}

/** The code of a driver's error; undefined if it is none. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno, fatal } = (error ?? {}) as Thrown;
  const isNamed = typeof code === 'string' && code !== 'UNKNOWN_CODE_PLEASE_REPORT';
  if (isNamed && !(Number(errno) >= AMBIGUOUS)) return code;
  if (typeof errno === 'number') return `ERRNO_${errno}`; // mysql2 has no names for MariaDB's own errors
  return fatal === true ? 'FATAL' : undefined;
}

/** Errors whose meaning is in their message: the user may read, but not write; the server has a read-only option. */
const REFUSES_CHANGES = /^(?:INSERT|UPDATE|DELETE)\b.* command denied|--(?:super[-_])?read[-_]only\b/;

/** The class of a driver's error; undefined if the database is available all the same. */
export function errorClassOf(error: unknown): ErrorClass | undefined {
  const { errno, fatal, message } = (error ?? {}) as Thrown;
  const code = codeOf(error) ?? '';
  // SQLite has no separate code for this.
  if (code === 'SQLITE_ERROR' && String(message).startsWith('no such table')) return 'damaged';
  if (isBadForeignKey(error)) return undefined;
  if ((errno === 1142 || errno === 1290) && REFUSES_CHANGES.test(String(message))) return 'read_only';
  // mysql2 marks every error as fatal after which it closes the connection.
  return lookUp(CLASS_OF, error) ?? (fatal === true ? 'lost' : undefined);
}

/** Whether the table above has the code of this error. */
export const isListed = (error: unknown): boolean => lookUp(CLASS_OF, error) !== undefined;

/** What an operator should do about a driver's error; undefined where nothing special helps. */
export const remedyOf = (error: unknown): string | undefined => lookUp(REMEDY_OF, error);

/** SQLite has primary and extended codes: SQLITE_IOERR_READ extends SQLITE_IOERR. */
function lookUp<Value>(table: ReadonlyMap<string, Value>, error: unknown): Value | undefined {
  const code = codeOf(error) ?? '';
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '';
  return table.get(String((error as Thrown | null)?.errno)) ?? table.get(code) ?? table.get(primary);
}

/** MariaDB reports a bad foreign key as a table that cannot be created: its name exists (121), or its target does not (150). */
export function isBadForeignKey(error: unknown): boolean {
  const { errno, message } = (error ?? {}) as Thrown;
  return errno === 1005 && /\(errno: 1(?:21|50) "/.test(String(message));
}

const WITHOUT_VALUES: readonly (ErrorClass | undefined)[] = [
  'unreached',
  'read_only',
  'full',
  'denied',
  'damaged',
];

/**
 * The code of a driver's error, for the log; with its message if that has only hosts, users, tables and files in it. Other
 * messages of MySQL repeat values.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? '';
  const message = String((error as Thrown).message);
  const isSafe =
    code.startsWith('SQLITE_') || isBadForeignKey(error) || WITHOUT_VALUES.includes(errorClassOf(error));
  if (!isSafe) return code;
  return message.includes(code) ? message : `${code} (${message})`;
}
