/** Our own codes: a statement without an answer in time, no free connection in time, and no host that may be tried now. */
export const NO_ANSWER = 'DB_NO_ANSWER';
export const NO_CONNECTION = 'DB_NO_CONNECTION';
export const NO_HOST = 'DB_NO_HOST';

interface Row {
  /** Codes of the network, mysql2 and SQLite, and numbers of servers. SQLSTATEs, or classes of them, are for errors without such a code. */
  readonly codes: string;
  /** Whether the same statement may succeed soon. */
  readonly retryable?: true;
  /** Whether the statement may have been executed. */
  readonly outcomeUnknown?: true;
  /** What callers are told, unless the database cannot be reached. */
  readonly message?: string;
  /** What an operator should do, unless that depends. */
  readonly remedy?: string;
}

const NO_WRITES = 'The database accepts no writes at the moment. Reads still work.';

/** Why the database is unavailable. Any other error means that the statement is wrong. */
export const CLASSES = {
  /** No host could be connected. */
  unreached: {
    codes: `ECONNREFUSED ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL EMFILE ENFILE
      HANDSHAKE_SSL_ERROR HANDSHAKE_NO_SSL_SUPPORT ${NO_CONNECTION} ${NO_HOST} 1226 08004`,
  },
  /** The server cannot take part now, for example a Galera node without its cluster. */
  refused: { codes: '1047 1290', retryable: true },
  /** The database accepts reads and rejects changes. */
  read_only: {
    codes: 'SQLITE_READONLY 1665 25006',
    retryable: true,
    message: NO_WRITES,
    remedy:
      'Make the server or the file writable, grant the user its privileges, or name the primary in DATABASE_URL.',
  },
  /** The database accepts reads, and has no space for changes. */
  full: {
    codes: 'SQLITE_FULL SQLITE_IOERR_WRITE 1021 1114',
    message: NO_WRITES,
    remedy: 'Free some space on its disk.',
  },
  /** Another transaction was faster, and the whole of this one was rolled back. */
  conflict: { codes: 'SQLITE_BUSY_SNAPSHOT 1020 40', retryable: true },
  /** Another process has the lock of the SQLite file, and nothing was executed. */
  busy: { codes: 'SQLITE_BUSY', retryable: true },
  /** The statement was rolled back for another reason: it took too long, waited for a lock or was killed. */
  rolled_back: {
    codes: 'SQLITE_LOCKED SQLITE_INTERRUPT SQLITE_NOMEM SQLITE_SCHEMA 1205 3024 70 HY001',
    retryable: true,
  },
  /** The connection ended, or no answer came in time. */
  lost: {
    codes: `PROTOCOL_CONNECTION_LOST ECONNRESET EPIPE ${NO_ANSWER} SQLITE_IOERR_FSYNC SQLITE_IOERR_DIR_FSYNC 1180 1927 08`,
    retryable: true,
    outcomeUnknown: true,
  },
  /** The server does not accept so large a statement. Only a smaller statement helps. */
  too_large: {
    codes: '1153',
    message: 'The database rejects a statement of this size.',
    remedy: 'Set max_allowed_packet of the server to 1M or more, then restart the service.',
  },
  /** The server does not let the service in, or not to its tables. */
  denied: {
    codes: `SQLITE_AUTH AUTH_SWITCH_PLUGIN_ERROR HANDSHAKE_UNKNOWN_ERROR MYSQL_CLEAR_PASSWORD_NOT_ENABLED
      1044 1045 1049 1142 1143 3118 3159 4151 28 3D`,
    remedy:
      'Check user, password (its % is %25), database and ?tls=verify in DATABASE_URL, and the privileges of the user. See docs/operations.md#errors-of-the-database.',
  },
  /** Files or tables are damaged or missing. */
  damaged: {
    codes: 'SQLITE_CORRUPT SQLITE_NOTADB SQLITE_CANTOPEN SQLITE_IOERR 1030 1814 1932 42S02',
    remedy: 'Check the file or the tables, the disk and its permissions, or restore a backup.',
  },
} satisfies Record<string, Row>;

/** What an operator should do about single errors, where the remedy of their class says too little. */
const REMEDIES: Readonly<Record<string, string>> = {
  [NO_HOST]:
    'All hosts failed a moment ago, each with the error that is named here. Check that they run, and check DATABASE_URL.',
  1045: 'Check user, password (its % is %25) and ?tls=verify in DATABASE_URL, and from where the user may log in. See docs/operations.md#errors-of-the-database.',
  3159: 'Add ?tls=verify to DATABASE_URL.',
};

export type ErrorClass = keyof typeof CLASSES;

export const rowOf = (errorClass: ErrorClass): Row => CLASSES[errorClass];

const CLASS_OF = new Map(
  (Object.keys(CLASSES) as ErrorClass[]).flatMap((name) =>
    CLASSES[name].codes.split(/\s+/).map((code) => [code, name] as const),
  ),
);

/** A driver's error, as far as it is one. */
interface Thrown extends Error {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: string;
  readonly fatal?: unknown;
}

/** The code of a driver's error. Undefined if the error does not come from a driver. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno, fatal } = (error ?? {}) as Thrown;
  const isNamed = typeof code === 'string' && code !== 'UNKNOWN_CODE_PLEASE_REPORT';
  // From 4000 on MariaDB and MySQL have different errors, but mysql2 uses MySQL's names for both.
  if (isNamed && !(Number(errno) >= 4_000)) return code;
  if (typeof errno === 'number') return `ERRNO_${errno}`; // mysql2 has no names for MariaDB's own errors
  return fatal === true ? 'FATAL' : undefined;
}

/** What an operator should do about an error of this class. Undefined if that depends. */
export const remedyOf = (error: unknown, errorClass: ErrorClass): string | undefined =>
  REMEDIES[String((error as Thrown).errno)] ?? REMEDIES[codeOf(error) ?? ''] ?? rowOf(errorClass).remedy;

/** The class of an error whose code is in `CLASSES`. SQLite has primary and extended codes: SQLITE_IOERR_READ extends SQLITE_IOERR. */
export function listedClassOf(error: unknown): ErrorClass | undefined {
  const { errno, sqlState = '' } = (error ?? {}) as Thrown;
  const code = codeOf(error) ?? '';
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '';
  const codes = [String(errno), code, primary, sqlState, sqlState.slice(0, 2)];
  return codes.map((one) => CLASS_OF.get(one)).find(Boolean);
}

/** Two errors have their meaning in the message: the user may read but not write, and the server has a read-only option. */
const REFUSES_CHANGES = /^(?:INSERT|UPDATE|DELETE)\b.* command denied|--(?:super[-_])?read[-_]only\b/;

/** The class of a driver's error. Undefined if the database is available all the same. */
export function errorClassOf(error: unknown): ErrorClass | undefined {
  const { code, errno, fatal, message = '' } = (error ?? {}) as Thrown;
  // SQLite has no separate code for this.
  if (code === 'SQLITE_ERROR' && message.startsWith('no such table')) return 'damaged';
  if ((errno === 1142 || errno === 1290) && REFUSES_CHANGES.test(message)) return 'read_only';
  // mysql2 marks every error as fatal after which it closes the connection.
  return listedClassOf(error) ?? (fatal === true ? 'lost' : undefined);
}

/** Errors of wrong statements whose messages quote only names, and classes whose messages quote only names, hosts, users and files. */
const QUOTES_NAMES = new Set<unknown>([1005, 1048, 1054, 1091, 1264, 1364, 1406]);
const WITHOUT_VALUES = new Set<unknown>(['unreached', 'read_only', 'full', 'too_large', 'denied', 'damaged']);

/** The code and the message of a driver's error, for the log. Values are removed: MySQL quotes them, and SQLite quotes what it cannot parse. */
export function wordsOf(error: unknown): string {
  const { name, errno, message = '' } = error as Thrown;
  const code = codeOf(error) ?? name;
  let words = message;
  if (code.startsWith('SQLITE_'))
    words = message.replace(/".*"/s, (quoted) => (/['\d]/.test(quoted) ? '"?"' : quoted));
  else if (!QUOTES_NAMES.has(errno) && !WITHOUT_VALUES.has(errorClassOf(error)))
    words = message.replace(/'.*'/s, "'?'").replace(/".*"/s, '"?"');
  return words.includes(code) ? words : `${code} (${words})`;
}

/** A name in quotes, a text up to its end or a backslash, whose meaning differs between engines, and a number. */
const LITERALS = /`[^`]*`|(["'])(?:(?!\1)[^\\]|\1\1)*(?:\1|\\.*|$)|(?<![\w.])[-+]?\.?\d[\w.]*/gs;

/** A statement with a ? for each number and text. TypeORM writes some values into it. Only SQLite has names in double quotes. */
export const withoutLiterals = (statement: string, code: string): string =>
  statement.replace(LITERALS, (found) =>
    found.startsWith('`') || (found.startsWith('"') && !code.startsWith('ER')) ? found : '?',
  );
