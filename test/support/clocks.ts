import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../src/kernel/clock.js';

/** A clock that only moves when the test moves it. */
export class ManualClock extends Clock {
  constructor(private time = Date.parse('2026-11-20T12:00:00Z')) {
    super();
  }

  override now(): number {
    return this.time;
  }

  /** Returns at once, with the clock advanced by this time. */
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

/** The clock of this machine, which a test can advance: for a service that shares its database with other processes. */
export class RunningClock extends ManualClock {
  readonly #begin = performance.now();

  constructor() {
    super(Date.now());
  }

  override now(): number {
    return super.now() + Math.round(performance.now() - this.#begin);
  }

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** A clock whose `sleep` lasts until the test wakes the sleepers, or until it is aborted. */
export class SleepingClock extends ManualClock {
  readonly #sleepers = new Set<() => void>();

  override sleep(milliseconds: number, end?: AbortSignal): Promise<void> {
    if (milliseconds === 0 || end?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        end?.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      end?.addEventListener('abort', wake);
    });
  }

  /** The number of sleepers. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Wakes all present sleepers. */
  wake(): void {
    for (const wake of this.#sleepers) wake();
  }
}
