import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseUnavailable } from './database-errors.js';
import type { Session, Sessions } from './session.js';

/** Knows the transaction that the running code is inside of, and how one begins and ends. */
export class Transactions {
  readonly #current = new AsyncLocalStorage<Session>();
  #open = 0;

  constructor(private readonly sessions: Sessions) {}

  /** The connection of the transaction that the caller is inside of. */
  get current(): Session | undefined {
    return this.#current.getStore();
  }

  outside<Result>(work: () => Result): Result {
    return this.#current.exit(work);
  }

  /** Begins a transaction for `work`, which ends with COMMIT, or with ROLLBACK if it throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#open += 1;
    try {
      return await this.#run(work);
    } finally {
      this.#open -= 1;
      // As long as it is in use, Node 20 and 22 call a hook for every promise of the process.
      if (this.#open === 0) this.#current.disable();
    }
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    const session = await this.sessions.lend();
    let ending = false;
    try {
      await session.run(this.sessions.begin);
      const result = await this.#current.run(session, work);
      ending = true;
      await session.run('COMMIT');
      session.giveBack();
      return result;
    } catch (error) {
      // What cannot roll back has an unknown state, which the next user must not inherit.
      await session.run('ROLLBACK').then(
        () => session.giveBack(),
        () => session.discard(),
      );
      throw ending ? afterCommit(error) : beforeCommit(error);
    }
  }
}

/** A connection that is lost before COMMIT was sent takes its transaction with it. */
function beforeCommit(error: unknown): unknown {
  const wasLost = error instanceof DatabaseUnavailable && error.outage === 'lost';
  return wasLost ? new DatabaseUnavailable(error.cause, 'undone') : error;
}

/** A server that cannot take part any more when it is told to commit does not say what it has done. */
function afterCommit(error: unknown): unknown {
  const wasRefused = error instanceof DatabaseUnavailable && error.outage === 'refused';
  return wasRefused ? new DatabaseUnavailable(error.cause, 'lost') : error;
}
