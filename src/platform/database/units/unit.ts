import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import type { QueryRunner } from 'typeorm';

/**
 * How long the statements of failed work that is still running are rejected. A statement and its wait for a connection take less time. Code
 * that runs longer, such as a timer, does not belong to the work.
 */
const REFUSED_MS = 10_000;

/** A unit of work: a transaction, or a savepoint inside one, as the code that runs in it sees it. */
export class Unit {
  /** Serializes nested transactions, whose savepoints would otherwise end each other. */
  readonly turns = new Mutex();
  #isOver = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** A unit without a runner is for statements that may run before the database is open. */
  constructor(
    readonly runner?: QueryRunner,
    private readonly outer?: Unit,
  ) {}

  /** This unit, or the innermost one around it that is not over. @throws Error in failed work that still runs */
  get current(): Unit | undefined {
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

/** Knows to which unit of work the running code belongs. */
export class Units {
  readonly #storage = new AsyncLocalStorage<Unit>();

  /** Undefined in code that belongs to no unit, not even to a unit that is over. */
  get own(): Unit | undefined {
    return this.#storage.getStore();
  }

  exit<Result>(work: () => Result): Result {
    return this.#storage.exit(work);
  }

  async run<Result>(unit: Unit, work: () => Promise<Result>): Promise<Result> {
    let failed = true;
    try {
      const result = await this.#storage.run(unit, work);
      failed = false;
      return result;
    } finally {
      unit.over(failed);
    }
  }

  /** Disables the storage, because Node 20 visits every storage of the process at each promise until it is disabled. */
  close(): void {
    this.#storage.disable();
  }
}
