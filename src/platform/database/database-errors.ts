import { QueryFailedError } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';
import { codeOf, type Outage, outageOf } from './outage.js';

/** The database cannot be reached or cannot work now; nothing is wrong with the request. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'database_unavailable';

  constructor(
    cause?: unknown,
    readonly outage: Outage = 'unreached',
  ) {
    super('The database cannot be reached at the moment. Try again after the time in Retry-After.', {
      cause,
    });
  }

  /** Whether what failed may have been done all the same. */
  get mayBeDone(): boolean {
    return this.outage === 'lost';
  }

  /** Whether it may be better the next time. Where nothing was reached, every host was asked already. */
  get isPassing(): boolean {
    return this.outage !== 'full' && this.outage !== 'unreached';
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

/** Says in our words what a driver's error means; what is none of a driver stays as it is. */
export function translated(error: unknown): unknown {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  const code = codeOf(cause);
  if (code === undefined) return error;
  if (DUPLICATE.has(code)) return new DuplicateKey(code);
  const outage = outageOf(cause);
  if (outage) return new DatabaseUnavailable(new Error(code), outage);
  if (!(error instanceof QueryFailedError)) return error;
  return new StatementFailed(reasonOf(cause as Error, code), error.query);
}

/** What an error before COMMIT means: a connection that is lost then takes its transaction with it. */
export function beforeCommit(error: unknown): unknown {
  const wasLost = error instanceof DatabaseUnavailable && error.outage === 'lost';
  return wasLost ? new DatabaseUnavailable(error.cause, 'undone') : error;
}

/** What an error of COMMIT means: a server that cannot take part any more then does not say what it has done. */
export function afterCommit(error: unknown): unknown {
  const wasRefused = error instanceof DatabaseUnavailable && error.outage === 'refused';
  return wasRefused ? new DatabaseUnavailable(error.cause, 'lost') : error;
}

/** SQLite's codes say little, but its messages name tables only; MySQL's messages repeat values. */
const reasonOf = (cause: Error, code: string) =>
  code.startsWith('SQLITE_') ? `${code} (${cause.message})` : code;
