/** Processor cores that serve work in order of arrival; work waits while no core is free. */
export class Cores {
  readonly #freeAt: Float64Array;
  busyMs = 0;

  constructor(count: number) {
    this.#freeAt = new Float64Array(count);
  }

  /** @returns the completion time */
  work(now: number, ms: number): number {
    let soonest = 0;
    for (const [core, freeAt] of this.#freeAt.entries()) if (freeAt < this.#freeAt[soonest]!) soonest = core;
    this.busyMs += ms;
    return (this.#freeAt[soonest] = Math.max(now, this.#freeAt[soonest]!) + ms);
  }
}
