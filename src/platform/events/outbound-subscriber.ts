import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { Clock } from '../../kernel/clock.js';
import type { Delivery, EventPayload } from '../../kernel/events.js';
import { backOff } from '../database/units/retries.js';
import type { OutboxMessages } from './outbox-repository.js';
import type { OutboxMessage } from './outbox.schema.js';

/** How long a claim lasts, in ms. If the process dies, another one delivers the message after this time. */
const LEASE_MS = 60_000;
/** When a handler's signal is aborted, in ms after the claim. */
const TIME_LIMIT_MS = 50_000;
/** How long a handler may take to end after its signal, in ms. Then its lease still lasts for some seconds. */
const GRACE_MS = 1_000;
/** With the delays of an outbox, these tries take an hour. */
const MAX_TRIES = 20;
/** How many messages are delivered at once, by each replica. They belong to different aggregates. */
const MAX_CONCURRENT = 10;

export type OutboundHandler = (payload: EventPayload, delivery: Delivery) => Promise<void>;

/**
 * Delivers the messages of one subscriber outside of transactions. One statement claims a message until the lease ends, the handler
 * runs, and another statement deletes the message. Later messages of the same aggregate wait, because the message stays in the table
 * until then. A subscriber waits only for its own handlers.
 */
export class OutboundSubscriber {
  /** By the name of the event type. */
  readonly #handlers = new Map<string, { readonly handler: OutboundHandler; readonly tries: number }>();
  readonly #running = new Map<AbortController, Promise<void>>();
  /** Messages that were due when they were read. The next ones are read when the last of them is claimed. */
  #due: OutboxMessage[] = [];
  /** Where the next part of the due messages begins; undefined after the last part. */
  #next: string | undefined;
  /** The round that begins deliveries, while it runs. */
  #round: Promise<void> | undefined;
  /** Whether a message may have become due since the first part of the due messages was read. */
  #mayBeDue = false;
  #isStopped = false;

  constructor(
    private readonly name: string,
    private readonly messages: OutboxMessages,
    private readonly clock: Clock,
    private readonly retryDelay: { readonly min: number; readonly max: number },
    private readonly log: Pick<Logger, 'warn' | 'debug'>,
  ) {}

  handle(type: string, handler: OutboundHandler, tries = MAX_TRIES): void {
    this.#handlers.set(type, { handler, tries });
  }

  handles(type: string): boolean {
    return this.#handlers.has(type);
  }

  /** Begins the deliveries that are due, and does not wait for their handlers. */
  poll(): void {
    this.#mayBeDue = true;
    this.#round ??= this.#beginDue()
      .catch((error: unknown) => this.log.debug(String(error)))
      .finally(() => {
        this.#round = undefined;
        if (this.#mayBeDue) this.poll();
      });
  }

  /** Delivers messages until none is due. */
  async deliver(): Promise<void> {
    this.poll();
    while (this.#round) {
      await this.#round;
      // Each delivery begins another round at its end.
      await Promise.all(this.#running.values());
    }
  }

  /** Aborts the signals of all handlers, and waits until the handlers have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // It may have claimed a message.
    await this.#round;
    for (const end of this.#running.keys()) end.abort(new Error('The service stops.'));
    await this.deliver();
  }

  async #beginDue(): Promise<void> {
    while (!this.#isStopped && this.#running.size < MAX_CONCURRENT) {
      if (this.#due.length === 0) {
        if (this.#next === undefined) {
          if (!this.#mayBeDue) return;
          this.#mayBeDue = false;
        }
        const part = await this.messages.due(this.name, this.clock.now(), this.#next);
        this.#due = part.messages;
        this.#next = part.next;
      }
      const message = this.#due.shift();
      if (message && (await this.#claim(message))) this.#mayBeDue = true;
    }
    this.#mayBeDue = false;
  }

  /** Claims a message, and begins its delivery. @returns false if another replica has claimed it */
  async #claim(message: OutboxMessage): Promise<boolean> {
    const claimedAt = this.clock.monotonic();
    const claim = { nextTryAt: this.clock.now() + LEASE_MS, failures: message.failures + 1 };
    // ensures: one replica at a time delivers a message to an outbound subscriber
    if (!(await this.messages.change(message, claim))) return false;
    const end = new AbortController();
    const timeLeft = TIME_LIMIT_MS - (this.clock.monotonic() - claimedAt);
    const timer = setTimeout(() => end.abort(new Error('The time limit of 50 s has passed.')), timeLeft);
    const delivery = this.#deliver({ ...message, ...claim }, end.signal)
      // The claim stays until its lease ends.
      .catch((error: unknown) => this.log.debug(String(error)))
      .finally(() => {
        clearTimeout(timer);
        this.#running.delete(end);
        this.poll();
      });
    this.#running.set(end, delivery);
    return true;
  }

  /** Calls the handler for a claimed message, and ends the claim. */
  async #deliver(message: OutboxMessage, signal: AbortSignal): Promise<void> {
    const { type, aggregate, failures } = message;
    const problem = await this.#problemOf(message, signal);
    if (problem === undefined) return this.messages.delete(message);
    if (this.#isStopped) {
      // Another replica may deliver the message at once. This try does not count.
      await this.messages.change(message, { nextTryAt: 0, failures: failures - 1 });
    } else if (failures >= (this.#handlers.get(type)?.tries ?? MAX_TRIES)) {
      const remedy = `To send it again, run "petstore events resend ${this.name} ${message.id}".`;
      this.log.warn(
        `"${this.name}" failed ${failures} times on ${type} of ${aggregate}, which is set aside: ${problem} ${remedy}`,
      );
      await this.messages.change(message, { setAsideAt: this.clock.now(), problem });
    } else {
      const delay = backOff(failures, this.retryDelay);
      this.log.warn(`"${this.name}" failed on ${type} of ${aggregate}, next try in ${delay} ms: ${problem}`);
      await this.messages.change(message, { nextTryAt: this.clock.now() + delay, problem });
    }
  }

  /** Calls the handler. @returns why it failed. Undefined if it succeeded */
  async #problemOf(
    { id, type, payload, failures, problem }: OutboxMessage,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const known = this.#handlers.get(type);
      if (!known) throw new Error(`nobody reacts to ${type} any more`);
      if (failures > known.tries) throw new Error(problem ?? 'the process ended during the last try');
      const handled = known.handler(payload, { id, attempt: failures, signal });
      await Promise.race([handled, tooLate(signal)]);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Rejects if a handler goes on after its signal. */
async function tooLate(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  await sleep(GRACE_MS, undefined, { ref: false });
  throw signal.reason;
}
