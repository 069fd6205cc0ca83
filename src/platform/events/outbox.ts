import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { type EventPayload, Events, type EventType } from '../../kernel/events.js';
import type { Sequence } from '../../kernel/sequence.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Sequences } from '../database/sequence/sequences.js';
import { type OutboxMessages, OutboxRepository } from './outbox-repository.js';

type Handler = (payload: EventPayload) => Promise<void>;

/** Records events in the unit of work that made them happen, one message for each subscriber. */
@Injectable()
export class Outbox extends Events {
  readonly #handlers = new Map<string, Handler>();
  readonly #subscribers = new Map<EventType<EventPayload>, string[]>();
  readonly #ids: Sequence;

  constructor(
    @Inject(OutboxRepository) private readonly messages: OutboxMessages,
    @Inject(Sequences) sequences: Pick<Sequences, 'of'>,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
    this.#ids = sequences.of('outbox');
  }

  override record<Payload extends EventPayload>(
    type: EventType<Payload>,
    work: () => Promise<Payload>,
  ): Promise<Payload> {
    const subscribers = this.#subscribers.get(type);
    return subscribers ? this.units.run(() => this.#record(type, subscribers, work)) : work();
  }

  override subscribe<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void {
    const key = keyOf(subscriber, type.name);
    if (this.#handlers.has(key)) throw new Error(`"${subscriber}" has subscribed to ${type.name} already.`);
    this.#handlers.set(key, handler as Handler);
    this.#subscribers.set(type, [...(this.#subscribers.get(type) ?? []), subscriber]);
  }

  /** Everybody who has subscribed to anything. */
  get subscribers(): string[] {
    return [...new Set([...this.#subscribers.values()].flat())];
  }

  /** The handler of a subscriber for a type of event. */
  handlerOf(subscriber: string, type: string): Handler | undefined {
    return this.#handlers.get(keyOf(subscriber, type));
  }

  async #record<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscribers: string[],
    work: () => Promise<Payload>,
  ): Promise<Payload> {
    const payload = await work();
    for (const subscriber of subscribers) {
      const id = await this.#ids.next();
      const aggregate = `${type.aggregate}/${payload.id}`;
      await this.messages.add({ id, subscriber, type: type.name, aggregate, payload }, this.clock.now());
    }
    return payload;
  }
}

const keyOf = (subscriber: string, type: string) => `${subscriber} ${type}`;
