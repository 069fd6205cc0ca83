import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import type { QueryRunner } from 'typeorm';

/**
 * How long statements of failed work that is still running are rejected: longer than a statement and the wait for a connection
 * take. Whatever runs longer, such as a timer, does not belong to the work.
 */
const REFUSED_MS = 10_000;

/** A unit of work: a transaction, or a savepoint inside one, as the code that runs in it sees it. */
export class Unit {
  /** Serializes nested transactions, whose savepoints would otherwise end each other. */
  readonly turns = new Mutex();
  #isOver = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** Without a runner: what may run before the database is open. */
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

/** The units of work of the running code. */
export class Units {
  readonly #storage = new AsyncLocalStorage<Unit>();

  /** Undefined in code that has no relation to any unit, not even to one that is over. */
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

  /** Node 20 visits, at each promise, every storage that was ever used in the process and not disabled. */
  close(): void {
    this.#storage.disable();
  }
}
