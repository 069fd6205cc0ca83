import { Clock } from '../../src/kernel/clock.js';

/** A clock that only moves when the test moves it. */
export class ManualClock extends Clock {
  #elapsed = 0;

  constructor(private time = Date.parse('2026-11-20T12:00:00Z')) {
    super();
  }

  override now(): number {
    return this.time;
  }

  override monotonic(): number {
    return this.#elapsed;
  }

  /** Also replaces the clock of the database. */
  async read(): Promise<void> {}
  async follow(): Promise<void> {}

  advance(milliseconds: number): void {
    this.time += milliseconds;
    this.#elapsed += milliseconds;
  }

  /** Sets the wall clock, as an administrator does. The monotonic time does not change. */
  set(time: string): void {
    this.time = Date.parse(time);
  }
}

/** The clock of this machine, which a test can advance: for a service that shares its database with other processes. */
export class RunningClock extends ManualClock {
  readonly #begin = performance.now();

  constructor() {
    super(Date.now());
  }

  override now(): number {
    return super.now() + Math.round(performance.now() - this.#begin);
  }

  override monotonic(): number {
    return super.monotonic() + performance.now();
  }
}
