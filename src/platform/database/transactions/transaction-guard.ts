import { TypeORMError } from 'typeorm';

/** The rules that the query runners of both engines follow while others use their transaction. */
export class TransactionGuard {
  /** Whether `inNewTransaction` is ending the transaction, which nobody else may do. */
  isEnding = false;
  #check: (() => void) | undefined;
  #rolledBackBy: unknown;

  /** Whether `inNewTransaction` owns the runner. Callers that joined it may neither release it nor end its transaction. */
  get isHeld(): boolean {
    return this.#check !== undefined;
  }

  /** `check` throws if the caller may not use the runner any more. */
  hold(check: () => void): void {
    this.#check = check;
  }

  letGo(): void {
    this.#check = undefined;
  }

  /** @throws Error if the statement must not be sent, because it would be stored outside its transaction */
  beforeStatement(text: string): void {
    this.#check?.();
    if (this.#rolledBackBy !== undefined && text !== 'ROLLBACK') throw this.#rolledBackBy as Error;
  }

  /** @throws Error unless the owner calls it */
  beforeEnd(): void {
    if (this.isHeld && !this.isEnding)
      throw new TypeORMError(
        'Only the code that began this transaction may end it: throw an error to roll it back.',
      );
  }

  /** Whether the database itself has ended the transaction, with all its savepoints. */
  get isRolledBack(): boolean {
    return this.#rolledBackBy !== undefined;
  }

  rolledBackBy(error: unknown): void {
    this.#rolledBackBy ??= error;
  }

  /** To be called when the transaction has ended. */
  reset(): void {
    this.#rolledBackBy = undefined;
  }
}
