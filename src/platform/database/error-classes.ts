import { SERVER_ERRORS } from './mysql/server-errors.js';

/**
 * Why the database is unavailable:
 * - `unreached`: no connection came about, so nothing was sent;
 * - `refused`: the server says that it cannot take part now, for example a Galera node without its cluster;
 * - `read_only`: the server accepts no writes, or none of this user; reads go on;
 * - `conflict`: another transaction was faster and the whole transaction was rolled back; nothing is wrong with the database;
 * - `rolled_back`: the statement, or the whole transaction, was rolled back for another reason: it took too long, for example;
 * - `lost`: the connection ended, or there was no answer in time: whether the statement was executed is unknown;
 * - `full`: the disk is full; a retry does not help, and reads go on;
 * - `too_large`: the server has no room for so large a statement, such as one of a batch; only a smaller one helps;
 * - `denied`: the server does not let the service in, or not to its tables; only an operator can help;
 * - `damaged`: files or tables are damaged or missing; only an operator can help.
 */
export type ErrorClass = keyof typeof SERVER_ERRORS;

/** Our own code for a statement without an answer in time. */
export const NO_ANSWER = 'DB_NO_ANSWER';
/** Our own code for a pool without a free connection in time. */
export const NO_CONNECTION = 'DB_NO_CONNECTION';

/** Our own code for a failure of every host; the message has the reasons. */
export const NO_HOST = 'DB_NO_HOST';

/** The classes of errors of SQLite, mysql2 and the network, by code. */
const CODES: Readonly<Partial<Record<ErrorClass, readonly string[]>>> = {
  unreached: [
    'ECONNREFUSED',
    'ETIMEDOUT', // mysql2 uses this code only for the handshake
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL', // every local port is in use
    'EMFILE', // too many open files; SQLite's code is SQLITE_CANTOPEN
    'ENFILE',
    'HANDSHAKE_SSL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
    NO_CONNECTION,
    NO_HOST,
  ],
  read_only: ['SQLITE_READONLY'],
  conflict: ['SQLITE_BUSY_SNAPSHOT'],
  rolled_back: [
    'SQLITE_BUSY',
    'SQLITE_LOCKED',
    'SQLITE_INTERRUPT',
    'SQLITE_NOMEM',
    'SQLITE_PROTOCOL',
    'SQLITE_SCHEMA',
  ],
  lost: [
    'PROTOCOL_CONNECTION_LOST',
    'ECONNRESET',
    'EPIPE',
    NO_ANSWER,
    'SQLITE_IOERR_FSYNC', // whether the COMMIT is on the disk is unknown
    'SQLITE_IOERR_DIR_FSYNC',
  ],
  full: ['SQLITE_FULL', 'SQLITE_IOERR_WRITE'],
  denied: ['SQLITE_PERM', 'SQLITE_AUTH'],
  damaged: ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CANTOPEN', 'SQLITE_IOERR'],
};

const classes = new Map<number | string, ErrorClass>();
for (const table of [CODES, SERVER_ERRORS]) {
  for (const [name, keys] of Object.entries(table)) {
    for (const key of keys) classes.set(key, name as ErrorClass);
  }
}

/** From this number on MariaDB and MySQL have different errors, but mysql2 uses MySQL's names for both. */
const AMBIGUOUS = 4_000;

interface DriverError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly fatal?: unknown;
  readonly message?: unknown;
}

/** The code of a driver's error; undefined if it is none. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno, fatal } = (error ?? {}) as DriverError;
  const isNamed = typeof code === 'string' && code !== 'UNKNOWN_CODE_PLEASE_REPORT';
  if (isNamed && !(Number(errno) >= AMBIGUOUS)) return code;
  if (typeof errno === 'number') return `ERRNO_${errno}`; // mysql2 has no names for MariaDB's own errors
  return fatal === true ? 'FATAL' : undefined;
}

/** The class of a driver's error; undefined if the database is available all the same. */
export function errorClassOf(error: unknown): ErrorClass | undefined {
  const { errno, fatal, message } = (error ?? {}) as DriverError;
  const code = codeOf(error) ?? '';
  // SQLite has no separate code for this.
  if (code === 'SQLITE_ERROR' && String(message).startsWith('no such table')) return 'damaged';
  if (isBadForeignKey(error)) return undefined;
  if (TAKES_NO_CHANGES[errno as number]?.test(String(message))) return 'read_only';
  // SQLite has primary and extended codes: SQLITE_IOERR_READ extends SQLITE_IOERR.
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '';
  const known = classes.get(errno as number) ?? classes.get(code) ?? classes.get(primary);
  // mysql2 marks every error as fatal after which it closes the connection.
  return known ?? (fatal === true ? 'lost' : undefined);
}

/** MariaDB reports a bad foreign key as a table that cannot be created: its name exists (121), or its target does not (150). */
const isBadForeignKey = (error: unknown) => {
  const { errno, message } = (error ?? {}) as DriverError;
  return errno === 1005 && /\(errno: 1(?:21|50) "/.test(String(message));
};

/** Errors whose meaning is in their message: the server runs with a read-only option; the user may read but not write. */
const TAKES_NO_CHANGES: Readonly<Record<number, RegExp>> = {
  1142: /^(?:INSERT|UPDATE|DELETE)\b.* command denied/,
  1290: /--(?:super[-_])?read[-_]only\b/,
};

/** Whether the database can be read, but rejects all changes. */
export const takesNoChanges = (errorClass: ErrorClass) => errorClass === 'read_only' || errorClass === 'full';

/** Whether waiting is useless until an operator has solved the problem. */
export const needsOperator = (errorClass?: ErrorClass) => errorClass === 'denied' || errorClass === 'damaged';

/**
 * The code of a driver's error, for the log; with the message if that contains only hosts, users, tables and files. Other
 * messages of MySQL repeat values.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? '';
  const errorClass = errorClassOf(error);
  const isSafe =
    code.startsWith('SQLITE_') ||
    code === NO_HOST ||
    isBadForeignKey(error) ||
    errorClass === 'read_only' ||
    errorClass === 'full' ||
    needsOperator(errorClass);
  return isSafe ? `${code} (${(error as Error).message})` : code;
}

const HOST_FAULTS: readonly ErrorClass[] = ['unreached', 'refused', 'read_only', 'lost'];

/** Whether the host is at fault, so that other hosts should be tried first. */
export function isHostFault(error: unknown): boolean {
  const errorClass = errorClassOf(error);
  return errorClass !== undefined && HOST_FAULTS.includes(errorClass);
}
