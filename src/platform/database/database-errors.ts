import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';

/**
 * Why the database is unavailable:
 * - `unreached`: no connection came about, so nothing was sent;
 * - `refused`: the server says that it cannot take part now, for example a Galera node without its cluster;
 * - `conflict`: another transaction was faster and the whole transaction was rolled back; nothing is wrong with the database;
 * - `rolled_back`: the statement, or the whole transaction, was rolled back for another reason: it took too long, for example;
 * - `lost`: the connection ended, or there was no answer in time: whether the statement was executed is unknown;
 * - `full`: the disk is full; a retry does not help.
 */
export type ErrorClass = 'unreached' | 'refused' | 'conflict' | 'rolled_back' | 'lost' | 'full';

/** Our own code for a statement that was not answered in time. */
export const NO_ANSWER = 'DB_NO_ANSWER';
/** Our own code for a connection that did not become free in time. */
export const NO_CONNECTION = 'DB_NO_CONNECTION';

const CODES: Readonly<Record<ErrorClass, readonly string[]>> = {
  unreached: [
    'ECONNREFUSED',
    'ETIMEDOUT', // mysql2 gives this code only to a handshake
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'HANDSHAKE_SSL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
    'ER_CON_COUNT_ERROR',
    'ER_TOO_MANY_USER_CONNECTIONS',
    NO_CONNECTION,
  ],
  refused: ['ER_UNKNOWN_COM_ERROR', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE'],
  conflict: [
    'ER_LOCK_DEADLOCK', // on Galera also a conflict with another node, reported at COMMIT at the latest
    'ER_CHECKREAD',
    'SQLITE_BUSY_SNAPSHOT',
  ],
  rolled_back: [
    'ER_LOCK_WAIT_TIMEOUT',
    'ER_QUERY_INTERRUPTED',
    'ER_QUERY_TIMEOUT',
    'ERRNO_1969', // MariaDB: max_statement_time exceeded
    'SQLITE_BUSY',
  ],
  lost: [
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'PROTOCOL_ENQUEUE_AFTER_DESTROY',
    'ECONNRESET',
    'EPIPE',
    'ER_SERVER_SHUTDOWN',
    'ER_ERROR_DURING_COMMIT',
    'ERRNO_1927', // MariaDB: connection killed
    'ER_CLIENT_INTERACTION_TIMEOUT',
    'ERRNO_4031', // MySQL: disconnected after a time without statements
    NO_ANSWER,
  ],
  full: ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ER_RECORD_FILE_FULL', 'ER_DISK_FULL'],
};

const classes = new Map(
  Object.entries(CODES).flatMap(([name, codes]) => codes.map((code) => [code, name as ErrorClass] as const)),
);

/** The code of a driver's error; undefined if it is none. */
export function codeOf(error: unknown): string | undefined {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (typeof code === 'string' && code !== 'UNKNOWN_CODE_PLEASE_REPORT') return code;
  return typeof errno === 'number' ? `ERRNO_${errno}` : undefined; // mysql2 has no names for MariaDB's own
}

/** The class of a driver's error; undefined for every failure that does not make the database unavailable. */
export const errorClassOf = (error: unknown): ErrorClass | undefined => classes.get(codeOf(error) ?? '');

/** Whether the error is a fault of the host, so that others should be asked before it. */
export function isHostFault(error: unknown): boolean {
  const errorClass = errorClassOf(error);
  return errorClass === 'unreached' || errorClass === 'refused' || errorClass === 'lost';
}

/** The database cannot be reached or cannot work now; nothing is wrong with the request. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_unavailable';

  constructor(
    cause?: unknown,
    readonly errorClass: ErrorClass = 'unreached',
  ) {
    super('The database cannot be reached at the moment. Try again after the time in Retry-After.', {
      cause,
    });
  }

  /** Whether the statement may have been executed all the same. */
  get isOutcomeUnknown(): boolean {
    return this.errorClass === 'lost';
  }

  /** Whether a retry may succeed. If no host was reached, every one was asked already. */
  get isTransient(): boolean {
    return this.errorClass !== 'full' && this.errorClass !== 'unreached';
  }
}

/** A row with this primary or unique key exists already. */
export class DuplicateKey extends Error {}

/** The database refused a statement. The bound values are not kept: they must not reach the log. */
export class StatementFailed extends Error {
  constructor(
    readonly code: string,
    readonly statement: string,
  ) {
    super(`${code} from ${statement}`);
  }
}

const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE']);

/** Translates a driver's error into ours; any other error stays as it is. */
export function translateError(error: unknown): unknown {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  const code = codeOf(cause);
  if (code === undefined) return error;
  if (DUPLICATE.has(code)) return new DuplicateKey(code);
  const errorClass = errorClassOf(cause);
  if (errorClass) return new DatabaseUnavailable(new Error(code), errorClass);
  if (!(error instanceof QueryFailedError)) return error;
  return new StatementFailed(reasonOf(cause as Error, code), error.query);
}

/** The meaning of an error before COMMIT: a connection that is lost then rolls its transaction back. */
export function beforeCommit(error: unknown): unknown {
  const wasLost = error instanceof DatabaseUnavailable && error.errorClass === 'lost';
  return wasLost ? new DatabaseUnavailable(error.cause, 'rolled_back') : error;
}

/** The meaning of an error of COMMIT: a server that refuses then does not say whether it has committed. */
export function afterCommit(error: unknown): unknown {
  const wasRefused = error instanceof DatabaseUnavailable && error.errorClass === 'refused';
  return wasRefused ? new DatabaseUnavailable(error.cause, 'lost') : error;
}

/** SQLite's codes say little, but its messages name tables only; MySQL's messages repeat values. */
const reasonOf = (cause: Error, code: string) =>
  code.startsWith('SQLITE_') ? `${code} (${cause.message})` : code;
