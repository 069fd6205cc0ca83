/** Lets one piece of work in at a time, first come, first served. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything that came before it has ended, well or badly. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
