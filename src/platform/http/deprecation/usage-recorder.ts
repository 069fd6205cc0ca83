import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../../kernel/clock.js';
import { withTimeout } from '../../process/timeout.js';
import { type DailyUsage, DailyUsageRepository } from './daily-usage-repository.js';
import { DAY, dayOf } from './deprecation.js';

/** So many pairs of operation and key are told apart between two times of writing; what is beyond is not counted. */
const MAX_COUNTS = 10_000;
/** A service that stops has no time for a database that does not answer. */
const LAST_WRITE_TIMEOUT_MS = 500;

/** Counts the uses of deprecated operations in memory, and writes them down once a minute and when the service stops. */
@Injectable()
export class UsageRecorder implements BeforeApplicationShutdown {
  readonly #log = new Logger('Deprecation');
  /** Grows with the keys that come, not with their requests, and is given away as a whole: see `InFlight`. */
  #counts = new Map<string, DailyUsage>();
  #writing: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly uses: DailyUsageRepository,
  ) {}

  count(operation: string, keyId: string): void {
    const lastUsedAt = this.clock.now();
    this.#add(`${Math.floor(lastUsedAt / DAY)} ${keyId} ${operation}`, operation, keyId, 1, lastUsedAt);
  }

  async beforeApplicationShutdown(): Promise<void> {
    const written = (this.#writing ?? Promise.resolve()).then(() => this.write());
    await withTimeout(written, LAST_WRITE_TIMEOUT_MS, () => undefined);
  }

  /** One round at a time; what could not be written waits for the next. */
  @Interval(60_000)
  write(): Promise<void> {
    return (this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined)));
  }

  async #writeAll(): Promise<void> {
    const counts = [...this.#counts];
    if (counts.length > 0) this.#counts = new Map();
    for (const [i, [, count]] of counts.entries()) {
      try {
        await this.uses.add(count);
      } catch (error) {
        this.#log.debug(String(error));
        for (const [name, { operation, keyId, uses, lastUsedAt }] of counts.slice(i))
          this.#add(name, operation, keyId, uses, lastUsedAt);
        return;
      }
    }
  }

  #add(name: string, operation: string, keyId: string, more: number, lastUsedAt: number): void {
    const count = this.#counts.get(name);
    if (count) {
      this.#counts.set(name, {
        ...count,
        uses: count.uses + more,
        lastUsedAt: Math.max(count.lastUsedAt, lastUsedAt),
      });
    } else if (this.#counts.size < MAX_COUNTS) {
      this.#counts.set(name, { operation, keyId, day: dayOf(lastUsedAt), uses: more, lastUsedAt });
    }
  }
}
