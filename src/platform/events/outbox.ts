import { setImmediate } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { type Delivery, type EventPayload, Events, type EventType } from '../../kernel/events.js';
import type { Sequence } from '../../kernel/sequence.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { DatabaseClock } from '../database/database-clock.js';
import { backOff, singleFlight } from '../database/units/retries.js';
import { Sequences } from '../database/sequence/sequences.js';
import { type OutboundHandler, OutboundSubscriber } from './outbound-subscriber.js';
import { type Backlog, type OutboxMessages, OutboxRepository } from './outbox-repository.js';
import type { OutboxMessage } from './outbox.schema.js';

const POLL_INTERVAL_MS = 500;
/** In ms. */
const RETRY_DELAY = { min: 1_000, max: 300_000 };

type Handler = (payload: EventPayload) => Promise<void>;

/**
 * A transactional outbox with its relay. An event is recorded in the unit of work in which it happens, as one message for each
 * subscriber. Taking a message and handling it are one unit of work. So the changes of the handler are stored once, however many
 * replicas deliver, and whenever one of them dies. A failing message delays only later messages of its aggregate. An outbound
 * subscriber delivers its messages itself, outside of units of work.
 */
@Injectable()
export class Outbox extends Events implements BeforeApplicationShutdown {
  /** The handlers of each subscriber, by the name of the event type. */
  readonly #subscribers = new Map<string, Map<string, Handler>>();
  readonly #outbound = new Map<string, OutboundSubscriber>();
  readonly #ids: Sequence;
  /** Runs one round at a time. The next round retries failed messages. */
  readonly #round = singleFlight(() =>
    this.#deliverInUnits().catch((error: unknown) => this.log.debug(String(error))),
  );
  #isStopped = false;

  constructor(
    @Inject(OutboxRepository) private readonly messages: OutboxMessages,
    @Inject(Sequences) sequences: Pick<Sequences, 'of'>,
    private readonly units: UnitOfWork,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Optional() private readonly log: Pick<Logger, 'warn' | 'debug'> = new Logger('Events'),
  ) {
    super();
    this.#ids = sequences.of('outbox');
  }

  override record<Payload extends EventPayload, Recorded extends Payload | readonly Payload[]>(
    { name, aggregate }: EventType<Payload>,
    work: () => Promise<Recorded>,
  ): Promise<Recorded> {
    const subscribers = this.#subscribersOf(name);
    if (subscribers.length === 0) return work();
    return this.units.run(async () => {
      const recorded = await work();
      const messages = ([recorded].flat() as Payload[]).flatMap((payload) => {
        const event = { type: name, aggregate: `${aggregate}/${payload.id}`, payload };
        return subscribers.map((subscriber) => ({ subscriber, ...event }));
      });
      const ids = await this.#ids.nextMany(messages.length);
      const withIds = messages.map((message, i) => ({ id: ids[i]!, ...message }));
      await this.messages.add(withIds, this.clock.now());
      return recorded;
    });
  }

  override subscribe<Payload extends EventPayload>(
    { name }: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void {
    this.#checkNew(subscriber, name, this.#outbound);
    const handlers = this.#subscribers.get(subscriber) ?? new Map<string, Handler>();
    this.#subscribers.set(subscriber, handlers.set(name, handler as Handler));
  }

  override subscribeOutbound<Payload extends EventPayload>(
    { name }: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload, delivery: Delivery) => Promise<void>,
    { tries }: { readonly tries?: number } = {},
  ): void {
    this.#checkNew(subscriber, name, this.#subscribers);
    const outbound =
      this.#outbound.get(subscriber) ??
      new OutboundSubscriber(subscriber, this.messages, this.clock, RETRY_DELAY, this.log);
    outbound.handle(name, handler as OutboundHandler, tries);
    this.#outbound.set(subscriber, outbound);
  }

  /** @throws Error if the subscriber has subscribed to this type, or is of the other kind */
  #checkNew(subscriber: string, type: string, otherKind: ReadonlyMap<string, unknown>): void {
    if (this.#subscribersOf(type).includes(subscriber))
      throw new Error(`"${subscriber}" has subscribed to ${type} already.`);
    if (otherKind.has(subscriber))
      throw new Error(`"${subscriber}" uses subscribe and subscribeOutbound: give each its own name.`);
  }

  #subscribersOf(type: string): string[] {
    const inUnits = [...this.#subscribers].filter(([, handlers]) => handlers.has(type));
    const outbound = [...this.#outbound].filter(([, one]) => one.handles(type));
    return [...inUnits, ...outbound].map(([name]) => name);
  }

  get subscribers(): string[] {
    return [...this.#subscribers.keys(), ...this.#outbound.keys()];
  }

  /** The messages by subscriber, including messages for subscribers that the service does not have. */
  backlog(): Promise<Backlog[]> {
    return this.messages.backlog();
  }

  /** Delivers due messages, one round at a time, until the service stops. */
  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.#isStopped) return;
    void this.#round();
    for (const outbound of this.#outbound.values()) outbound.poll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#round(), ...Array.from(this.#outbound.values(), (one) => one.stop())]);
  }

  /** Delivers messages until none is due or the service stops. */
  async deliver(): Promise<void> {
    await Promise.all([
      this.#deliverInUnits(),
      ...Array.from(this.#outbound.values(), (one) => one.deliver()),
    ]);
  }

  /**
   * Delivers the messages of all subscribers except the outbound ones. It delivers a part of the messages of each subscriber in turn,
   * so that a subscriber with many messages does not delay the others.
   */
  async #deliverInUnits(): Promise<void> {
    if (this.#subscribers.size === 0) return;
    let taken: number;
    do {
      taken = 0;
      const names = (await this.messages.withMessages()).filter((name) => this.#subscribers.has(name));
      let parts = names.map((name) => ({ name, after: '' }));
      while (parts.length > 0) {
        const following: typeof parts = [];
        for (const { name, after } of parts) {
          if (this.#isStopped) return;
          const { messages, next } = await this.messages.due(name, this.clock.now(), after);
          taken += await this.#deliverAll(messages);
          if (next !== undefined) following.push({ name, after: next });
        }
        parts = following;
      }
      // If no message was taken, other replicas are delivering the rest.
    } while (taken > 0);
  }

  /** Delivers messages one after the other until the service stops. @returns how many of them other replicas did not deliver */
  async #deliverAll(messages: readonly OutboxMessage[]): Promise<number> {
    let taken = 0;
    for (const message of messages) {
      if (this.#isStopped) break;
      if (await this.#deliverOne(message)) taken += 1;
      // On SQLite none of these calls waits for I/O, so the process would read no request until all messages are delivered.
      await setImmediate();
    }
    return taken;
  }

  /** @returns false if another replica delivers the message */
  async #deliverOne({ id, subscriber, type, aggregate, payload, failures }: OutboxMessage): Promise<boolean> {
    try {
      return await this.units.run(async () => {
        const handler = this.#subscribers.get(subscriber)?.get(type);
        if (!handler) throw new Error(`nobody reacts to ${type} any more`);
        // ensures: one replica handles a message
        if (!(await this.messages.take(id))) return false;
        await handler(payload);
        return true;
      });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      const delay = backOff(failures + 1, RETRY_DELAY);
      this.log.warn(`"${subscriber}" failed on ${type} of ${aggregate}, next try in ${delay} ms: ${problem}`);
      await this.messages.scheduleRetry(id, this.clock.now() + delay, problem);
      return true;
    }
  }
}
