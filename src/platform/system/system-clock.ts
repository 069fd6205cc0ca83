import { Clock } from '../../kernel/clock.js';

/** The machine's clock. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}
