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

/**
 * Says in our words what a driver's error means; what is none of a driver stays as it is. `statement` is what the driver
 * was asked to run; without it the error is TypeORM's, which knows, or came before any statement.
 */
export function translated(error: unknown, statement?: string): unknown {
  const cause = error instanceof QueryFailedError ? error.driverError : error;
  const code = codeOf(cause);
  if (code === undefined) return error;
  if (DUPLICATE.has(code)) return new DuplicateKey(code);
  const outage = outageOf(cause);
  if (outage) return new DatabaseUnavailable(new Error(code), outage);
  const asked = error instanceof QueryFailedError ? error.query : statement;
  return asked === undefined ? error : new StatementFailed(reasonOf(cause as Error, code), asked);
}

/** SQLite's codes say little, but its messages name tables only; MySQL's messages repeat values. */
const reasonOf = (cause: Error, code: string) =>
  code.startsWith('SQLITE_') ? `${code} (${cause.message})` : code;
