import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import {
  codeOf,
  type ErrorClass,
  errorClassOf,
  needsOperator,
  reasonOf,
  takesNoChanges,
} from './error-classes.js';

/** The database cannot be reached or cannot work now; nothing is wrong with the request. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code: 'database_unavailable' | 'database_read_only';

  constructor(
    cause?: unknown,
    readonly errorClass: ErrorClass = 'unreached',
  ) {
    const isReadable = takesNoChanges(errorClass);
    super(
      isReadable
        ? 'The database takes no changes at the moment. What is there can be read.'
        : 'The database cannot be reached at the moment.',
      { cause },
    );
    this.code = isReadable ? 'database_read_only' : 'database_unavailable';
  }

  /** Whether the statement may have been executed all the same. */
  get isOutcomeUnknown(): boolean {
    return this.errorClass === 'lost';
  }

  /** Whether a retry may succeed. If no host was reached, every one was asked already. */
  get isTransient(): boolean {
    return !this.needsOperator && !['full', 'too_large', 'unreached'].includes(this.errorClass);
  }

  /** Whether to wait is in vain, until an operator has put right what is wrong. */
  get needsOperator(): boolean {
    return needsOperator(this.errorClass);
  }
}

export const isMissingTable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  /^ER_NO_SUCH_TABLE|^SQLITE_ERROR \(no such table/.test((error.cause as Error | undefined)?.message ?? '');

/** Whether the database has no room for what it was asked to keep. */
export const isFull = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.errorClass === 'full';

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
  if (code === undefined) {
    return error instanceof QueryFailedError
      ? new StatementFailed((cause as Error).name, error.query)
      : error;
  }
  if (DUPLICATE.has(code)) return new DuplicateKey(code);
  const errorClass = errorClassOf(cause);
  const reason = reasonOf(cause);
  if (errorClass) return new DatabaseUnavailable(new Error(reason), errorClass);
  return error instanceof QueryFailedError ? new StatementFailed(reason, error.query) : error;
}

/** The meaning of an error before COMMIT: a connection that is lost then rolls its transaction back. */
export function beforeCommit(error: unknown): unknown {
  const wasLost = error instanceof DatabaseUnavailable && error.errorClass === 'lost';
  return wasLost ? new DatabaseUnavailable(error.cause, 'rolled_back') : error;
}

/** The meaning of an error of COMMIT: a server that refuses then, or fails, does not say whether it has committed. */
export function afterCommit(error: unknown): unknown {
  const isUnknown =
    error instanceof DatabaseUnavailable && ['refused', 'read_only', 'damaged'].includes(error.errorClass);
  return isUnknown ? new DatabaseUnavailable(error.cause, 'lost') : error;
}
