import { createHash } from 'node:crypto';
import { Chance } from '../../../src/kernel/chance.js';

/** Chance that falls the same way in every run. */
export class SeededChance extends Chance {
  #drawn = 0;

  constructor(private readonly seed = 'petstore') {
    super();
  }

  override bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    return bytes.map(() => {
      this.#drawn += 1;
      return createHash('sha256').update(`${this.seed} ${this.#drawn}`).digest()[0]!;
    });
  }
}
