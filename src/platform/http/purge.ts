import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeprecatedUses } from './deprecation/deprecated-uses.js';
import { StoredAnswers } from './idempotency/stored-answers.js';

const EVERY = 60_000;

/** Forgets rows that are too old, once a minute. Several replicas may do so at once. */
@Injectable()
export class Purge implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Purge');
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly answers: StoredAnswers,
    private readonly uses: DeprecatedUses,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.run(), EVERY).unref();
  }

  async run(): Promise<void> {
    for (const rows of [this.answers, this.uses]) {
      // Whatever is wrong with the database now, the next minute is early enough.
      await rows.purge().catch((error: unknown) => this.#log.debug(String(error)));
    }
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
