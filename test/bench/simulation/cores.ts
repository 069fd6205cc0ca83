/** Processor cores that work in the order in which they are asked; who finds none free waits. */
export class Cores {
  readonly #freeAt: Float64Array;
  busyMs = 0;

  constructor(count: number) {
    this.#freeAt = new Float64Array(count);
  }

  /** @returns when it is done */
  work(now: number, ms: number): number {
    let soonest = 0;
    for (const [core, freeAt] of this.#freeAt.entries()) if (freeAt < this.#freeAt[soonest]!) soonest = core;
    this.busyMs += ms;
    return (this.#freeAt[soonest] = Math.max(now, this.#freeAt[soonest]!) + ms);
  }
}
