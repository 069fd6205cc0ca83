/** Makes several steps one: all of them are stored, or none. */
export abstract class UnitOfWork {
  /**
   * Runs `work` in one transaction: stored when it returns, undone when it throws. Every repository called inside,
   * of whichever module, takes part by itself. A unit begun inside another is part of that one.
   * `work` may be run again if the database asks for it, so it must have no effect outside the database.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}
