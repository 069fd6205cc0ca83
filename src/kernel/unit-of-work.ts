/** Stores several steps together or not at all. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in one transaction, which is committed when `work` returns and rolled back when it throws. Every repository that
   * is called inside takes part, whatever its module. A unit inside another unit is part of the outer one. If the database
   * requires a retry, `work` runs again, so it must have no effects outside the database.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}
