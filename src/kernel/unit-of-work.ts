/** Makes several steps one: either all of them are stored, or none. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in one transaction, which is committed when it returns and rolled back when it throws. Every repository that is
   * called inside takes part, whatever its module. A unit inside another is part of the outer one. `work` may run again when
   * the database requires a retry, so it must have no effects outside the database.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}
