import { randomBytes } from 'node:crypto';
import { RandomSource } from '../../kernel/random-source.js';

/** The machine's cryptographically secure random source. */
export class SystemRandomSource extends RandomSource {
  override bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
