import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { StoredAnswers } from './stored-answers.js';

const EVERY = 60_000;

/** Forgets stored answers that are too old, once a minute. Several replicas may do so at once. */
@Injectable()
export class Purge implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Purge');
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly answers: StoredAnswers) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      // Whatever is wrong with the database now, the next minute is early enough.
      this.answers.purge().catch((error: unknown) => this.#log.debug(String(error)));
    }, EVERY).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
