import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { afterCommit, beforeCommit } from '../errors.js';
import type { MySqlQueryRunner } from '../mysql/mysql-query-runner.js';
import type { SqliteQueryRunner } from '../sqlite/sqlite-query-runner.js';
import type { Work } from './entity-manager.js';

export type Runner = MySqlQueryRunner | SqliteQueryRunner;

/**
 * How long statements of failed work that is still running are rejected: longer than a statement and the wait for a connection
 * take. Whatever runs longer, such as a timer, does not belong to the work.
 */
const REFUSED_MS = 10_000;
const UNIT_TIMEOUT_MS = 5_000;

/** A transaction, or a savepoint inside one, as the code that runs in it sees it. */
export class TransactionScope {
  /** Serializes nested transactions, whose savepoints would otherwise end each other. */
  readonly turns = new Mutex();
  #isOver = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** Without a runner: what may run before the database is open. */
  constructor(
    readonly runner?: Runner,
    private readonly outer?: TransactionScope,
  ) {}

  /** This scope, or the innermost one around it that is not over. @throws Error in failed work that still runs */
  get current(): TransactionScope | undefined {
    if (!this.#isOver) return this;
    if (performance.now() - this.#failedAt < REFUSED_MS)
      throw new Error(
        'This transaction was rolled back: await everything that it starts, also when a part of it fails.',
      );
    return this.outer?.current;
  }

  over(failed: boolean): void {
    this.#isOver = true;
    if (failed) this.#failedAt = performance.now();
  }
}

/** The scope of the running code. */
export class TransactionScopes {
  readonly #storage = new AsyncLocalStorage<TransactionScope>();

  /** Undefined in code that has no relation to any transaction, not even to one that is over. */
  get own(): TransactionScope | undefined {
    return this.#storage.getStore();
  }

  exit<Result>(work: () => Result): Result {
    return this.#storage.exit(work);
  }

  async run<Result>(scope: TransactionScope, work: () => Promise<Result>): Promise<Result> {
    let failed = true;
    try {
      const result = await this.#storage.run(scope, work);
      failed = false;
      return result;
    } finally {
      scope.over(failed);
    }
  }

  /** Runs `work` in a new transaction of this runner, and releases it. It ends after 5 s: what it holds, others wait for. */
  async runUnit<Result>(runner: Runner, work: Work<Result>, isolation?: IsolationLevel): Promise<Result> {
    runner.isUnit = true;
    let timer: NodeJS.Timeout | undefined;
    try {
      await runner.startTransaction(isolation);
      timer = setTimeout(() => runner.expire(), UNIT_TIMEOUT_MS);
      const result = await this.run(new TransactionScope(runner), () => work(runner.manager));
      runner.isEnding = true;
      await runner.commitTransaction();
      return result;
    } catch (error) {
      const wasCommitting = runner.isEnding;
      runner.isEnding = true;
      // If the rollback fails, the state of the connection is unknown, so it is closed.
      await runner.rollbackTransaction().catch(() => runner.discard());
      throw wasCommitting ? afterCommit(error) : beforeCommit(error);
    } finally {
      clearTimeout(timer);
      runner.isUnit = false;
      await runner.release();
    }
  }

  /** Node 20 visits, at each promise, every storage that was ever used in the process and not disabled. */
  close(): void {
    this.#storage.disable();
  }
}
