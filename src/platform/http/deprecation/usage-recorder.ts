import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../kernel/clock.js';
import { withTimeout } from '../../process/timeout.js';
import { type DailyUsage, DailyUsageRepository } from './daily-usage-repository.js';
import { DAY_MS, dayOf } from './deprecation.js';

/** How many pairs of operation and key are counted between two writes; others are left out. */
const MAX_COUNTS = 10_000;
/** A service that stops does not wait for a database that does not answer. */
const LAST_WRITE_TIMEOUT_MS = 500;

/** Counts the uses of deprecated operations in memory, and stores them once a minute and when the service stops. */
@Injectable()
export class UsageRecorder implements BeforeApplicationShutdown {
  readonly #log = new Logger('Deprecation');
  /** Grows with the keys, not with their requests, and is replaced as a whole: see `InFlight`. */
  #counts = new Map<string, DailyUsage>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly usage: DailyUsageRepository,
  ) {}

  count(operation: string, keyId: string): void {
    const now = this.clock.now();
    const name = `${Math.floor(now / DAY_MS)} ${keyId} ${operation}`;
    const day = this.#counts.get(name)?.day ?? dayOf(now);
    this.#add(name, { operation, keyId, day, uses: 1, lastUsedAt: now });
  }

  async beforeApplicationShutdown(): Promise<void> {
    const written = (this.#writing ?? Promise.resolve()).then(() => this.write());
    await withTimeout(written, LAST_WRITE_TIMEOUT_MS, () => undefined);
  }

  /** One write at a time; what could not be stored waits for the next. */
  @Interval(60_000)
  write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    const counts = [...this.#counts];
    if (counts.length > 0) this.#counts = new Map();
    for (const [i, [, count]] of counts.entries()) {
      try {
        await this.usage.add(count);
      } catch (error) {
        this.#log.debug(String(error));
        for (const [name, unwritten] of counts.slice(i)) this.#add(name, unwritten);
        return;
      }
    }
  }

  #add(name: string, more: DailyUsage): void {
    const { uses = 0, lastUsedAt = 0 } = this.#counts.get(name) ?? {};
    if (uses === 0 && this.#counts.size >= MAX_COUNTS) return;
    const latest = Math.max(lastUsedAt, more.lastUsedAt);
    this.#counts.set(name, { ...more, uses: uses + more.uses, lastUsedAt: latest });
  }
}
