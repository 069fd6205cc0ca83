import { chanceFrom } from '../../bench/traffic/chance.js';

/** Pseudo-random choices: the same for the same seed, if the options are the same too. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = chanceFrom(seed);
  }

  /** A whole number from 0 to less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** One of these; undefined if there are none. */
  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }
}
