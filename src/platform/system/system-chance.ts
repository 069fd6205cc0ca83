import { randomBytes } from 'node:crypto';
import { Chance } from '../../kernel/chance.js';

/** The machine's cryptographically secure random source. */
export class SystemChance extends Chance {
  override bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
