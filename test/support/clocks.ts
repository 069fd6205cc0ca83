import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/kernel/clock.js';

/** A clock that stands still until it is told to move. */
export class ManualClock extends Clock {
  constructor(private time = Date.parse('2026-11-20T12:00:00Z')) {
    super();
  }

  override now(): number {
    return this.time;
  }

  /** Does not wait: the time passes at once. */
  override sleep(milliseconds: number): Promise<void> {
    this.advance(milliseconds);
    return Promise.resolve();
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }

  set(time: string): void {
    this.time = Date.parse(time);
  }
}

/** The clock of this machine, which a test can put forward: for a service whose database other processes use, too. */
export class RunningClock extends ManualClock {
  readonly #begin = performance.now();

  constructor() {
    super(Date.now());
  }

  override now(): number {
    return super.now() + Math.round(performance.now() - this.#begin);
  }

  override sleep(milliseconds: number): Promise<void> {
    return sleep(milliseconds);
  }
}
