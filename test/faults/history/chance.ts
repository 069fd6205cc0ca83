import { chanceFrom } from '../../bench/traffic/chance.js';

/** Choices that look random and are the same for the same seed, as far as what is chosen from is. */
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
