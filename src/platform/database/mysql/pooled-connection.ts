import type { PoolConnection, QueryError, QueryOptions } from 'mysql2';
import { observed } from '../database-channels.js';
import { NO_ANSWER } from '../error-table.js';
import { BOUNDED, UNBOUNDED } from './session.js';

/** How long a caller waits for the answer to a statement. */
const STATEMENT_TIMEOUT_MS = 3_500;

/** What the server does not report as a change of the session (`session_track_state_change`): locks, and roles on MySQL. */
const UNREPORTED = /^\s*(?:HANDLER|SET\s+ROLE)\b|\b(?:LOCK\s+(?:TABLES?|INSTANCE)|READ\s+LOCK|GET_LOCK)\b/i;
/** Is for the next transaction, whosever that is. */
const FOR_NEXT = /^\s*SET\s+TRANSACTION\b/i;
/** The bit of a server's status (SERVER_STATUS_IN_TRANS). */
const IN_TRANSACTION = 1;

type Statement = string | QueryOptions;
type Answer = [result: unknown];
/** What mysql2 returns for a statement without rows. */
interface Header {
  readonly serverStatus?: number;
  readonly stateChanges?: { readonly trackStateChange: string | null };
}

/** What a connection reports to its pool. */
export interface Owner {
  worked(): void;
  /** @returns whether the connection must be closed */
  failed(error: unknown): boolean;
  gone(): void;
}

/**
 * A connection as TypeORM's runner uses it, lent out by `HostPools`. Each statement has a deadline; a connection whose server
 * does not answer or cannot work is closed, because its state is unknown.
 */
export class PooledConnection {
  isUsable = true;
  #isBounded = true;
  /** Ends the statement that waits for its answer. */
  #giveUp = () => {};
  /** Whether the session is no longer as `prepareSession` made it, or has a transaction. */
  #isChanged = false;
  #isInTransaction = false;

  constructor(
    private readonly connection: PoolConnection,
    private readonly owner: Owner,
  ) {}

  /** The part of mysql2's interface that TypeORM's runner uses. */
  promise(): { query(statement: Statement, values?: unknown[]): Promise<Answer> } {
    return { query: async (statement, values = []) => [await this.run(statement, values)] };
  }

  /** @returns rows, or mysql2's result of a change */
  run(statement: Statement, values: unknown[]): Promise<unknown> {
    const text = typeof statement === 'string' ? statement : statement.sql;
    // Migrations lift the server's time limit, and with it this deadline.
    if (text === UNBOUNDED) this.#isBounded = false;
    if (text === BOUNDED) this.#isBounded = true;
    return observed(() => this.#execute(statement, values));
  }

  /** For streams of rows, which have no deadline. */
  query(statement: string, values?: unknown[]): unknown {
    return this.connection.query(statement, values);
  }

  listeners(event: string): unknown[] {
    return this.connection.listeners(event);
  }

  on(event: string, listener: (error: Error) => void): void {
    this.connection.on(event, listener);
  }

  release(): void {
    if (!this.isUsable) return;
    // The next user needs a session without what this one has left behind.
    if (this.#isChanged || this.#isInTransaction) return this.destroy();
    this.isUsable = false;
    this.owner.gone();
    this.connection.release();
  }

  destroy(): void {
    if (!this.isUsable) return;
    this.isUsable = false;
    this.owner.gone();
    this.connection.destroy();
    this.#giveUp();
  }

  #execute(statement: Statement, values: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        clearTimeout(timer);
        if (this.owner.failed(error)) this.destroy();
        reject(error as Error);
      };
      this.#giveUp = () => fail(Object.assign(new Error(NO_ANSWER), { code: NO_ANSWER }));
      const timer = this.#isBounded ? setTimeout(this.#giveUp, STATEMENT_TIMEOUT_MS) : undefined;
      this.connection.query(statement as string, values, (error: QueryError | null, result: unknown) => {
        this.#giveUp = () => {};
        if (error) return fail(error);
        clearTimeout(timer);
        this.owner.worked();
        this.#note(typeof statement === 'string' ? statement : statement.sql, result);
        resolve(result);
      });
    });
  }

  #note(text: string, result: unknown): void {
    // A procedure has rows before its header.
    const { serverStatus, stateChanges } = ((Array.isArray(result) ? result.at(-1) : result) ?? {}) as Header;
    if (typeof stateChanges?.trackStateChange === 'string' || UNREPORTED.test(text)) this.#isChanged = true;
    if (serverStatus !== undefined)
      this.#isInTransaction = (serverStatus & IN_TRANSACTION) !== 0 || FOR_NEXT.test(text);
  }
}
