import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Outbox } from './outbox.js';
import { type OutboxMessages, OutboxRepository } from './outbox-repository.js';
import type { OutboxMessage } from './outbox.schema.js';

const POLL_INTERVAL_MS = 500;
const MAX_BATCH = 100;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 300_000;

/**
 * Delivers messages to their subscribers, one round at a time, until the service stops. Taking a message and handling it are
 * one unit of work: what a handler stores is stored once, however many replicas deliver and whenever one dies. A message that
 * fails delays only later messages of its aggregate.
 */
@Injectable()
export class OutboxRelay implements BeforeApplicationShutdown {
  #round: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly outbox: Outbox,
    @Inject(OutboxRepository) private readonly messages: OutboxMessages,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    @Optional() private readonly log: Pick<Logger, 'warn' | 'debug'> = new Logger('Events'),
  ) {}

  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.#isStopped) return;
    this.#round ??= this.deliver()
      // Whatever is wrong with the database now, the next round is early enough.
      .catch((error: unknown) => this.log.debug(String(error)))
      .finally(() => (this.#round = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await this.#round;
  }

  /** Delivers until no message is due. */
  async deliver(): Promise<void> {
    const { subscribers } = this.outbox;
    if (subscribers.length === 0) return;
    for (;;) {
      const messages = await this.messages.due(subscribers, this.clock.now(), MAX_BATCH);
      if (messages.length === 0) return;
      for (const message of messages) await this.#deliverOne(message);
    }
  }

  async #deliverOne({ id, subscriber, type, aggregate, payload, failures }: OutboxMessage): Promise<void> {
    try {
      await this.units.run(async () => {
        const handler = this.outbox.handlerOf(subscriber, type);
        if (!handler) throw new Error(`nobody reacts to ${type} any more`);
        if (await this.messages.take(id)) await handler(payload);
      });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const delay = Math.min(MIN_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);
      this.log.warn(`"${subscriber}" failed on ${type} of ${aggregate}, next try in ${delay} ms: ${problem}`);
      await this.messages.scheduleRetry(id, this.clock.now() + delay, problem);
    }
  }
}
