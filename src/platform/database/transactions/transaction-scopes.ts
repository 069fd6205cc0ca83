import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import type { QueryRunner } from 'typeorm';
import type { MySqlQueryRunner } from '../mysql/mysql-query-runner.js';
import type { SqliteQueryRunner } from '../sqlite/sqlite-query-runner.js';

export type Runner = MySqlQueryRunner | SqliteQueryRunner;

/**
 * How long statements of failed work that is still running are rejected: longer than a statement and the wait for a connection
 * take. Whatever runs longer, such as a timer, does not belong to the work.
 */
const REFUSED_MS = 10_000;

/** The scope of a transaction, or of a savepoint inside one. */
class Scope {
  /** Serializes nested transactions, whose savepoints would otherwise end each other. */
  readonly turns = new Mutex();
  isOver = false;
  failedAt: number | undefined;

  constructor(
    readonly runner: Runner,
    readonly outer: Scope | undefined,
  ) {}
}

/** Finds the transaction of the running code. */
export class TransactionScopes {
  /** `unchecked` allows statements before the database is open. */
  readonly #store = new AsyncLocalStorage<Scope | 'unchecked'>();
  #used = 0;
  #lingering: NodeJS.Timeout | undefined;

  get isUnchecked(): boolean {
    return this.#store.getStore() === 'unchecked';
  }

  /** Whether the running code has no relation to any transaction, not even to one that is over. */
  get isFree(): boolean {
    return this.#store.getStore() === undefined;
  }

  /** The runner of the current transaction. @throws Error in failed work that still runs, which would be stored */
  get runner(): Runner | undefined {
    return this.#current?.runner;
  }

  runUnchecked<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run('unchecked', work);
  }

  runOutside<Result>(work: () => Result): Result {
    return this.#store.exit(work);
  }

  /** Runs `work` as the work of the runner's transaction. */
  run<Result>(runner: Runner, work: () => Promise<Result>): Promise<Result> {
    return this.#runIn(new Scope(runner, undefined), work);
  }

  /** Calls `begin` to create a savepoint, one at a time for each transaction; without one on the runner of another. */
  async runInside<Result>(
    runner: QueryRunner | undefined,
    begin: (joined: (work: () => Promise<Result>) => Promise<Result>) => Promise<Result>,
  ): Promise<Result> {
    const outer = this.#current;
    if (!outer || (runner && runner !== outer.runner)) return begin((work) => work());
    return outer.turns.runExclusive(() => begin((work) => this.#runIn(new Scope(outer.runner, outer), work)));
  }

  get #current(): Scope | undefined {
    const store = this.#store.getStore();
    let scope = store === 'unchecked' ? undefined : store;
    for (; scope?.isOver; scope = scope.outer) {
      if (scope.failedAt !== undefined && performance.now() - scope.failedAt < REFUSED_MS)
        throw new Error(
          'This transaction was rolled back: await everything that it starts, also when a part of it fails.',
        );
    }
    return scope;
  }

  async #runIn<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
    return this.#run(scope, async () => {
      try {
        return await work();
      } catch (error) {
        scope.failedAt = performance.now();
        this.#linger();
        throw error;
      } finally {
        scope.isOver = true;
      }
    });
  }

  async #run<Result>(scope: Scope | 'unchecked', work: () => Promise<Result>): Promise<Result> {
    this.#used += 1;
    try {
      return await this.#store.run(scope, work);
    } finally {
      this.#leave();
    }
  }

  /** Keeps the storage in use, so that what failed work has left running can be recognized. */
  #linger(): void {
    if (this.#lingering) return void this.#lingering.refresh();
    this.#used += 1;
    this.#lingering = setTimeout(() => {
      this.#lingering = undefined;
      this.#leave();
    }, REFUSED_MS).unref();
  }

  #leave(): void {
    this.#used -= 1;
    // While it is in use, Node 20 and 22 call a hook for every promise of the process.
    if (this.#used === 0) this.#store.disable();
  }
}
