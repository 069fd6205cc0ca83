import { createHash } from 'node:crypto';
import { RandomSource } from '../../../src/kernel/random-source.js';

/** The same bytes in every run. */
export class SeededRandom extends RandomSource {
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
