import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';

/** The database cannot be reached or cannot work now; nothing is wrong with the request. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_unavailable';

  constructor(cause?: unknown) {
    super('The database cannot be reached at the moment. Try again after the time in Retry-After.', {
      cause,
    });
  }
}

/** A row with this primary or unique key is there already. */
export class DuplicateKey extends Error {}

/** A statement that the database refused. Of the values that were bound to it nothing is kept: logs must not have them. */
export class StatementFailed extends Error {
  constructor(
    readonly code: string,
    readonly statement: string,
  ) {
    super(`${code} from ${statement}`);
  }
}

const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE']);

const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_SERVER_SHUTDOWN',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_UNKNOWN_COM_ERROR', // 1047: a Galera node that is joining or in a minority
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
]);

/** Says in our words what a driver's error means; what is none of a driver stays as it is. */
export function translated(error: unknown): unknown {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string') return error;
  if (DUPLICATE.has(code)) return new DuplicateKey(code);
  if (UNAVAILABLE.has(code)) return new DatabaseUnavailable(new Error(code));
  return error instanceof QueryFailedError
    ? new StatementFailed(reasonOf(cause as Error, code), error.query)
    : error;
}

/** SQLite's codes say little, but its messages name tables only; MySQL's messages repeat values. */
const reasonOf = (cause: Error, code: string) =>
  code.startsWith('SQLITE_') ? `${code} (${cause.message})` : code;
