/** Lets one piece of work in at a time, first come, first served. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** How many pieces are at work or wait. */
  get count(): number {
    return this.#count;
  }

  /** Runs `work` when everything that came before it has ended, well or badly. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#count += 1;
    this.#last = turn.then(this.#ended, this.#ended);
    return turn;
  }

  #ended = (): void => {
    this.#count -= 1;
  };
}
