import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Delivery } from './delivery.js';

/** Starts the delivery of events again and again, one round at a time, until the service stops. */
@Injectable()
export class Postman implements BeforeApplicationShutdown {
  readonly #log = new Logger('Events');
  #round: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly delivery: Delivery) {}

  /** How long an event waits at most, in ms, when all goes well. */
  @Interval(500)
  run(): void {
    if (this.#stopped) return;
    this.#round ??= this.delivery
      .deliver()
      // Whatever is wrong with the database now, the next round is early enough.
      .catch((error: unknown) => this.#log.debug(String(error)))
      .finally(() => (this.#round = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    await this.#round;
  }
}
