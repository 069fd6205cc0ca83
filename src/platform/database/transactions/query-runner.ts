import { type DataSource, TypeORMError } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { BaseQueryRunner } from 'typeorm/query-runner/BaseQueryRunner.js';
import type { UnreleasedRunners } from './unreleased-runners.js';

/** What both engines' runners add to their base class. With all of `QueryRunner` here, tsc cannot write the mixin's type. */
interface Transactions {
  startTransaction(isolation?: IsolationLevel): Promise<void>;
  commitTransaction(): Promise<void>;
  rollbackTransaction(): Promise<void>;
  release(): Promise<void>;
}

// oxlint-disable-next-line no-explicit-any -- a mixin must accept the arguments of every constructor
type RunnerClass = abstract new (...args: any[]) => BaseQueryRunner & Transactions;

/** The data source, which knows what the running code belongs to. */
interface Source extends DataSource {
  /** @throws Error in failed work that still runs */
  readonly insideTransaction: boolean;
  readonly unreleased: UnreleasedRunners;
}

/**
 * The rules of both engines' query runners while others have joined their transaction: nobody ends it but the unit that began it,
 * and nothing is stored beside it.
 */
export function joinable<Base extends RunnerClass>(TypeOrmRunner: Base) {
  abstract class Joinable extends TypeOrmRunner {
    /** Set while a unit runs the transaction, for everybody who joins it. */
    isUnit = false;
    /** Set while that unit ends it. */
    isEnding = false;
    /** Set while its statements are repeated together, and not each alone. */
    isRepeated = false;
    #rolledBackBy: unknown;

    /** To be called when the unit takes too long: rolls it back, whatever it waits for. */
    expire(): void {
      this.discard();
    }

    /** To be called if the state of the connection is unknown, so that it is not used again. */
    abstract discard(): void;

    /** Whether nobody else can use its connection. */
    abstract get holdsConnection(): boolean;

    override release(): Promise<void> {
      if (this.isUnit) return Promise.resolve();
      (this.dataSource as Source).unreleased.delete(this);
      return super.release();
    }

    override startTransaction(isolation?: IsolationLevel): Promise<void> {
      if (this.transactionDepth === 0) this.#rolledBackBy = undefined;
      return super.startTransaction(isolation);
    }

    override async commitTransaction(): Promise<void> {
      this.#checkEnd();
      // Without a further statement nobody else has told it.
      if (this.#rolledBackBy !== undefined) throw this.#rolledBackBy as Error;
      await super.commitTransaction();
    }

    override async rollbackTransaction(): Promise<void> {
      // The savepoints went with the transaction.
      if (this.transactionDepth > 1 && this.#rolledBackBy !== undefined)
        return void (this.transactionDepth -= 1);
      this.#checkEnd();
      await super.rollbackTransaction();
      if (!this.isTransactionActive) this.#rolledBackBy = undefined;
    }

    /** TypeORM would commit here, even a transaction that somebody else has begun. */
    override async [Symbol.asyncDispose](): Promise<void> {
      if (!this.isUnit) await super[Symbol.asyncDispose]();
    }

    /** @throws Error if the statement must not be sent, because it would be stored although its transaction is not */
    protected beforeStatement(text: string): void {
      if (this.isUnit) void (this.dataSource as Source).insideTransaction;
      if (this.#rolledBackBy !== undefined && text !== 'ROLLBACK') throw this.#rolledBackBy as Error;
    }

    /** To be called when the database itself has rolled back the transaction, with all its savepoints. */
    protected rolledBackBy(error: unknown): void {
      if (this.transactionDepth > 0) this.#rolledBackBy ??= error;
    }

    #checkEnd(): void {
      if (this.isUnit && !this.isEnding && this.transactionDepth <= 1)
        throw new TypeORMError(
          'Only the code that began this transaction may end it: throw an error to roll it back.',
        );
    }
  }
  return Joinable;
}
