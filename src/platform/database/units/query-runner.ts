import { type EntityManager, type QueryResult, TypeORMError } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { QueryRunnerAlreadyReleasedError } from 'typeorm/error/QueryRunnerAlreadyReleasedError.js';
import { afterCommit, beforeCommit, DatabaseUnavailable } from '../errors.js';
import { repeatableOf, type Retries } from './retries.js';
import type { RunnerClass, RunnerSource } from './runner-types.js';

/** A unit of work that takes longer is rolled back, because others wait for what it holds. */
const UNIT_TIMEOUT_MS = 5_000;

/**
 * What both engines' query runners have in common: the way of each statement to the driver, and the rules of a transaction that others
 * have joined. Only the unit of work that began such a transaction ends it, and nothing is stored beside it.
 */
export function joinable<Base extends RunnerClass>(TypeOrmRunner: Base) {
  abstract class Joinable extends TypeOrmRunner {
    /** Repeats single statements. Undefined if whoever asks repeats several statements together. */
    protected retries: Retries | undefined;
    /** True while `runUnit` runs the transaction, for everybody who joins it. */
    #isUnit = false;
    /** True while `runUnit` ends the transaction. */
    #isEnding = false;
    #hasChanged = false;
    #rolledBackBy: unknown;
    #manager: EntityManager | undefined;

    static {
      // A single statement needs no manager, so it is made when somebody asks for it. TypeScript allows no accessor for a property.
      Object.defineProperty(this.prototype, 'manager', {
        get(this: Joinable): EntityManager {
          return (this.#manager ??= this.dataSource.createEntityManager(this as never));
        },
        // The constructor of a manager sets it.
        set(this: Joinable, manager: EntityManager) {
          this.#manager = manager;
        },
      });
    }

    /** Sends a statement to the driver. @throws DatabaseUnavailable, DuplicateKey, StatementFailed */
    protected abstract send(text: string, values: unknown): Promise<QueryResult>;

    /** To be called if the state of the connection is unknown, so that it is not used again. */
    protected abstract discard(): void;

    /** Called when nobody uses the runner any more, before its connection is used by others. */
    protected leave(): void {}

    override query(text: string, values: unknown = [], structured = false): Promise<unknown> {
      const ask = () => this.#ask(text, values, structured);
      // An error inside a transaction fails the whole transaction.
      return this.retries && !this.isTransactionActive ? this.retries.run(repeatableOf(text), ask) : ask();
    }

    /** Runs `work` in a new transaction, and releases the runner. The transaction ends after 5 s at the latest. */
    async runUnit<Result>(work: () => Promise<Result>, isolation?: IsolationLevel): Promise<Result> {
      this.#isUnit = true;
      let timer: NodeJS.Timeout | undefined;
      try {
        await this.startTransaction(isolation);
        timer = setTimeout(() => this.expire(), UNIT_TIMEOUT_MS);
        const result = await work();
        this.#isEnding = true;
        await this.commitTransaction();
        return result;
      } catch (error) {
        const wasCommitting = this.#isEnding;
        this.#isEnding = true;
        // If the rollback fails, the state of the connection is unknown, so it is closed.
        await this.rollbackTransaction().catch(() => this.discard());
        throw wasCommitting ? afterCommit(error) : beforeCommit(error);
      } finally {
        clearTimeout(timer);
        this.#isUnit = false;
        await this.release();
      }
    }

    /** Rolls back a unit that takes too long, whatever it waits for. */
    protected expire(): void {
      this.discard();
    }

    override async startTransaction(isolation?: IsolationLevel): Promise<void> {
      if (this.transactionDepth > 0) return super.startTransaction(isolation);
      this.#rolledBackBy = undefined;
      this.#hasChanged = false;
      try {
        await super.startTransaction(isolation);
      } catch (error) {
        this.#forgetTransaction();
        this.discard();
        throw error;
      }
    }

    override async commitTransaction(): Promise<void> {
      this.#checkEnd();
      // Without a further statement nobody else has reported it.
      if (this.#rolledBackBy !== undefined) throw this.#rolledBackBy as Error;
      await super.commitTransaction();
      if (this.transactionDepth === 0 && this.#hasChanged) this.#source.refusedChange = undefined;
    }

    override async rollbackTransaction(): Promise<void> {
      // The savepoints went with the transaction.
      if (this.transactionDepth > 1 && this.#rolledBackBy !== undefined)
        return void (this.transactionDepth -= 1);
      this.#checkEnd();
      await super.rollbackTransaction();
      if (!this.isTransactionActive) this.#rolledBackBy = undefined;
    }

    /** Rolls back what was not committed, with all its savepoints. */
    override async release(): Promise<void> {
      if (this.#isUnit) return;
      this.transactionDepth = Math.min(this.transactionDepth, 1);
      if (this.isTransactionActive) await this.rollbackTransaction().catch(() => this.discard());
      this.#forgetTransaction();
      this.leave();
      // TypeORM's runner of SQLite does not note it.
      this.isReleased = true;
      await super.release();
    }

    /** TypeORM would commit here, even a transaction that somebody else has begun. */
    override async [Symbol.asyncDispose](): Promise<void> {
      if (!this.#isUnit) await super[Symbol.asyncDispose]();
    }

    /** To be called when the database itself has rolled back the transaction, with all its savepoints. */
    protected rolledBackBy(error: unknown): void {
      if (this.transactionDepth > 0) this.#rolledBackBy ??= error;
    }

    async #ask(text: string, given: unknown, structured: boolean): Promise<unknown> {
      this.#checkStatement(text);
      const values = given as unknown[];
      const { logger, subscribers } = this.dataSource;
      const hasSubscribers = subscribers.length > 0;
      logger.logQuery(text, values);
      if (hasSubscribers) await this.broadcaster.broadcast('BeforeQuery', text, values);
      const begunAt = Date.now();
      const reportEnd = (isDone: boolean, raw: unknown, error?: unknown) => {
        const duration = Date.now() - begunAt;
        return this.broadcaster.broadcast('AfterQuery', text, values, isDone, duration, raw, error);
      };
      const result = await this.send(text, values).catch(async (error: unknown) => {
        this.#noteRefusal(text, error);
        logger.logQueryError(error as Error, text, values);
        if (hasSubscribers) await reportEnd(false, undefined, error);
        throw error;
      });
      if (result.affected! > 0) this.#changed();
      if (hasSubscribers) await reportEnd(true, result.raw);
      return structured ? result : result.raw;
    }

    /** @throws Error if the statement must not be sent, because it would be stored although its transaction is not */
    #checkStatement(text: string): void {
      if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
      if (this.#isUnit) void this.#source.insideTransaction;
      if (text === 'ROLLBACK') return;
      if (this.#source.refusal) throw this.#source.refusal;
      if (this.#rolledBackBy !== undefined) throw this.#rolledBackBy as Error;
    }

    #changed(): void {
      if (this.isTransactionActive) this.#hasChanged = true;
      else this.#source.refusedChange = undefined;
    }

    #noteRefusal(text: string, error: unknown): void {
      const isRefused = error instanceof DatabaseUnavailable && error.code === 'database_read_only';
      if (isRefused && repeatableOf(text) !== 'always')
        this.#source.refusedChange = (error.cause as Error).message;
    }

    /** TypeORM leaves a transaction that it could not begin or end as it is. */
    #forgetTransaction(): void {
      this.isTransactionActive = false;
      this.transactionDepth = 0;
    }

    #checkEnd(): void {
      if (this.#isUnit && !this.#isEnding && this.transactionDepth <= 1)
        throw new TypeORMError(
          'Only the code that began this transaction may end it: throw an error to roll it back.',
        );
    }

    get #source(): RunnerSource {
      return this.dataSource as RunnerSource;
    }
  }

  return Joinable;
}
