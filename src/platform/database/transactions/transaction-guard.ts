import { TypeORMError } from 'typeorm';

/** What a query runner of either engine keeps to while others rely on its transaction. */
export class TransactionGuard {
  /** Whether `inNewTransaction` ends the transaction now: nobody else may. */
  isEnding = false;
  #check: (() => void) | undefined;
  #rolledBackBy: unknown;

  /** Whether the runner is owned by `inNewTransaction`: callers that have joined it can neither release it nor end its transaction. */
  get isHeld(): boolean {
    return this.#check !== undefined;
  }

  /** `check` throws for those who may not use the runner any more. */
  hold(check: () => void): void {
    this.#check = check;
  }

  letGo(): void {
    this.#check = undefined;
  }

  /** @throws Error if the statement must not be sent: it would be stored although its transaction is not */
  beforeStatement(text: string): void {
    this.#check?.();
    if (this.#rolledBackBy !== undefined && text !== 'ROLLBACK') throw this.#rolledBackBy as Error;
  }

  /** @throws Error for others than the owner */
  beforeEnd(): void {
    if (this.isHeld && !this.isEnding)
      throw new TypeORMError(
        'Whoever has begun this transaction ends it: throw an error to have it rolled back.',
      );
  }

  /** Whether the database has ended the transaction by itself, with every savepoint. */
  get isRolledBack(): boolean {
    return this.#rolledBackBy !== undefined;
  }

  rolledBackBy(error: unknown): void {
    this.#rolledBackBy ??= error;
  }

  /** Nothing is left of the transaction that the database has rolled back. */
  reset(): void {
    this.#rolledBackBy = undefined;
  }
}
