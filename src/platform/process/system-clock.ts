import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';

/** The machine's clock. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override sleep(milliseconds: number): Promise<void> {
    return sleep(milliseconds);
  }
}
