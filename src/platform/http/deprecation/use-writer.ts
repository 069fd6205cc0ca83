import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DayOfUse, DeprecatedUses } from './deprecated-uses.js';
import type { UseCounter } from './use-counter.js';

const EVERY = 60_000;
/** A service that stops has no time for a database that does not answer, in ms. */
const LAST_PATIENCE = 500;

/** Writes down who used deprecated operations: once a minute, and when the last request is answered. */
export class UseWriter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Deprecation');
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly counter: UseCounter,
    private readonly uses: DeprecatedUses,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.write(), EVERY).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_PATIENCE)));
    const written = (this.#writing ?? Promise.resolve()).then(() => this.write());
    await Promise.race([written, late]).finally(() => clearTimeout(timer));
  }

  /** One round at a time; what could not be written waits for the next. */
  write(): Promise<void> {
    return (this.#writing ??= this.#writeAll(this.counter.take()).finally(() => (this.#writing = undefined)));
  }

  async #writeAll(counts: readonly DayOfUse[]): Promise<void> {
    for (const [i, count] of counts.entries()) {
      try {
        await this.uses.add(count);
      } catch (error) {
        this.#log.debug(String(error));
        this.counter.putBack(counts.slice(i));
        return;
      }
    }
  }
}
