import { randomBytes } from 'node:crypto';
import { Clock } from '../../../kernel/clock.js';
import { RandomSource } from '../../../kernel/random-source.js';

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override monotonic(): number {
    return performance.now();
  }
}

export class SystemRandomSource extends RandomSource {
  override bytes(count: number): Uint8Array {
    return randomBytes(count);
  }
}
