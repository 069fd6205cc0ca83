import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Delivery } from './delivery.js';

/** How long an event waits at most, in ms, when all goes well. */
const EVERY = 500;

/** Sends the delivery on its round again and again, one round at a time, until the service stops. */
export class Postman implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Events');
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(private readonly delivery: Delivery) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.delivery
        .deliver()
        // Whatever is wrong with the database now, the next round is early enough.
        .catch((error: unknown) => this.#log.debug(String(error)))
        .finally(() => (this.#round = undefined));
    }, EVERY).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }
}
