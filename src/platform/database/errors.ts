import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import {
  codeOf,
  type ErrorClass,
  errorClassOf,
  remedyOf,
  rowOf,
  withoutLiterals,
  wordsOf,
} from './error-table.js';
import type { StrictSqliteDriver } from './sqlite/strict-driver.js';

const messageOf = (errorClass: ErrorClass): string =>
  rowOf(errorClass).message ?? 'The database cannot be reached at the moment.';

/** The database cannot be reached or cannot work now; nothing is wrong with the request. */
export class DatabaseUnavailable extends DomainError {
  static readonly kind = 'unavailable';
  declare readonly code: 'database_unavailable' | 'database_read_only';

  constructor(
    cause?: unknown,
    readonly errorClass: ErrorClass = 'unreached',
    /** What an operator should do, unless that depends. */
    readonly remedy = rowOf(errorClass).remedy,
  ) {
    const isReadable = errorClass === 'read_only' || errorClass === 'full';
    super(messageOf(errorClass), { cause });
    this.code = isReadable ? 'database_read_only' : 'database_unavailable';
  }

  /** Whether the statement may have been executed although it failed. */
  get isOutcomeUnknown(): boolean {
    return rowOf(this.errorClass).outcomeUnknown === true;
  }

  /** Whether a retry may succeed. `unreached` is final, because every host was tried already. */
  get isTransient(): boolean {
    return rowOf(this.errorClass).retryable === true;
  }

  /** Whether waiting is useless until an operator has solved the problem. */
  get needsOperator(): boolean {
    return this.errorClass === 'denied' || this.errorClass === 'damaged';
  }
}

/** The service has not opened the database yet, and says itself why. The cause is for developers who ask it in a hook of Nest. */
export class DatabaseNotOpen extends DatabaseUnavailable {
  constructor() {
    super(
      new Error('The database is opened after the modules: ask it in a migration, a job or an interval.'),
    );
  }
}

/** The database cannot be opened: waiting would not help, or nobody waits. */
export class DatabaseUnusable extends Error {
  constructor(
    readonly what: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${what} ${remedy}`, options);
  }
}

/** Whether the database is out of disk space. */
export const isFull = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.errorClass === 'full';

export const isMissingTable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  /^ER_NO_SUCH_TABLE|^SQLITE_ERROR \(no such table/.test((error.cause as Error | undefined)?.message ?? '');

/** A driver's error without the bound values, which must not be logged. */
class DriverError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly errno?: number,
    /** The name of the violated key or constraint, if the engine reports it. */
    readonly constraint?: string,
  ) {
    super(message);
  }
}

/** TypeORM's error for a rejected statement, with its text; `code` and `errno` are the driver's. */
class Refused extends QueryFailedError<DriverError> {
  declare readonly code: string;

  constructor(error: DriverError, statement: string) {
    super(withoutLiterals(statement, error.code), undefined, error);
    if (statement !== '') this.message = `${error.message} from ${this.query}`;
    // It repeats this error, and would be logged twice.
    Object.defineProperty(this, 'driverError', { enumerable: false });
  }
}

/** A row with this primary or unique key exists already. */
export class DuplicateKey extends Refused {
  constructor(error = new DriverError('duplicate key', 'ER_DUP_ENTRY'), statement = '') {
    super(error, statement);
  }
}

/** The database refused a statement for another reason. */
export class StatementFailed extends Refused {
  constructor(reason: string, statement: string, error = new DriverError(reason, reason)) {
    super(error, statement);
  }
}

const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_CONSTRAINT_UNIQUE']);

/** How MySQL, MariaDB and SQLite name a violated constraint. No pattern matches inside a value in the message. */
const CONSTRAINT: Readonly<Record<string, RegExp>> = {
  ER_DUP_ENTRY: /for key '(?:[^'.]+\.)?([^']+)'$/,
  ER_NO_REFERENCED_ROW_2: /CONSTRAINT `([^`]+)` FOREIGN KEY/,
  ER_ROW_IS_REFERENCED_2: /CONSTRAINT `([^`]+)` FOREIGN KEY/,
  SQLITE_CONSTRAINT_UNIQUE: /^UNIQUE constraint failed: (.+)$/,
  SQLITE_CONSTRAINT_PRIMARYKEY: /^UNIQUE constraint failed: (.+)$/,
};

/** Translates a driver's error into ours; returns any other error unchanged. SQLite's driver knows the name of a violated key. */
export function translateError(error: unknown, sqlite?: StrictSqliteDriver): unknown {
  if (error instanceof Refused) return error;
  const isOfStatement = error instanceof QueryFailedError;
  const cause = (isOfStatement ? error.driverError : error) as DriverError;
  const code = codeOf(cause);
  if (code === undefined && !isOfStatement) return error;
  const words = wordsOf(cause);
  const errorClass = errorClassOf(cause);
  if (errorClass) return new DatabaseUnavailable(new Error(words), errorClass, remedyOf(cause, errorClass));
  if (!isOfStatement) return error;
  const constraint = CONSTRAINT[code ?? '']?.exec(cause.message)?.[1];
  const key = constraint && sqlite ? sqlite.keyOf(constraint) : constraint;
  const refusal = new DriverError(words, code ?? cause.name, cause.errno, key);
  return DUPLICATE.has(refusal.code)
    ? new DuplicateKey(refusal, error.query)
    : new StatementFailed(words, error.query, refusal);
}

/** Translates an error before COMMIT: if the connection is lost then, the transaction is rolled back. */
export function beforeCommit(error: unknown): unknown {
  const wasLost = error instanceof DatabaseUnavailable && error.errorClass === 'lost';
  return wasLost ? new DatabaseUnavailable(error.cause, 'rolled_back') : error;
}

/** Translates an error of COMMIT: if the server rejects it or fails, the outcome is unknown. */
export function afterCommit(error: unknown): unknown {
  const isUnknown =
    error instanceof DatabaseUnavailable && ['refused', 'read_only', 'damaged'].includes(error.errorClass);
  return isUnknown ? new DatabaseUnavailable(error.cause, 'lost') : error;
}

/** Why something failed, for operators: in the words of the database if it was the database. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
