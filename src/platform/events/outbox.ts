import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { type EventPayload, Events, type EventType, type Retelling } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';
import type { Rate } from '../../kernel/rate.js';
import type { Sequence } from '../../kernel/sequence.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Sequences } from '../database/sequence/sequences.js';
import { type Backlog, type OutboxMessages, OutboxRepository } from './outbox-repository.js';
import type { OutboxMessage } from './outbox.schema.js';

const POLL_INTERVAL_MS = 500;
const MAX_BATCH = 100;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 300_000;

/** How many things are told of again in one unit of work. */
const REPLAY_PAGE = 100;

type Handler = (payload: EventPayload) => Promise<void>;
type Subscribers = Map<string, Handler>;
interface Source {
  readonly type: EventType<EventPayload>;
  readonly tell: Retelling<EventPayload>;
}

export interface ReplayProgress {
  readonly type: string;
  /** How many things of this type of event have been told of, and the id of the last of them. */
  readonly told: number;
  readonly last: Int64;
}

/**
 * A transactional outbox with its relay. An event is recorded in the unit of work that made it happen, as one message for each
 * subscriber. Taking a message and handling it are one unit of work: what a handler stores is stored once, however many
 * replicas deliver and whenever one dies. A message that fails delays only later messages of its aggregate.
 */
@Injectable()
export class Outbox extends Events implements BeforeApplicationShutdown {
  readonly #subscribers = new Map<string, Subscribers>();
  readonly #sources = new Map<string, Source>();
  readonly #ids: Sequence;
  #round: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    @Inject(OutboxRepository) private readonly messages: OutboxMessages,
    @Inject(Sequences) sequences: Pick<Sequences, 'of'>,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    @Optional() private readonly log: Pick<Logger, 'warn' | 'debug'> = new Logger('Events'),
  ) {
    super();
    this.#ids = sequences.of('outbox');
  }

  override record<Payload extends EventPayload>(
    type: EventType<Payload>,
    work: () => Promise<Payload>,
  ): Promise<Payload> {
    const subscribers = this.#subscribers.get(type.name);
    if (!subscribers) return work();
    return this.units.run(async () => {
      const payload = await work();
      for (const subscriber of subscribers.keys()) await this.#add(subscriber, type, payload);
      return payload;
    });
  }

  async #add(
    subscriber: string,
    { name, aggregate }: Pick<EventType<EventPayload>, 'name' | 'aggregate'>,
    payload: EventPayload,
  ): Promise<void> {
    const id = await this.#ids.next();
    const message = { id, subscriber, type: name, aggregate: `${aggregate}/${payload.id}`, payload };
    await this.messages.add(message, this.clock.now());
  }

  override subscribe<Payload extends EventPayload>(
    { name }: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void {
    const subscribers: Subscribers = this.#subscribers.get(name) ?? new Map<string, Handler>();
    if (subscribers.has(subscriber)) throw new Error(`"${subscriber}" has subscribed to ${name} already.`);
    subscribers.set(subscriber, handler as Handler);
    this.#subscribers.set(name, subscribers);
  }

  override retell<Payload extends EventPayload>(type: EventType<Payload>, tell: Retelling<Payload>): void {
    this.#sources.set(type.name, { type, tell } as unknown as Source);
  }

  get subscribers(): string[] {
    return [...new Set([...this.#subscribers.values()].flatMap((one) => [...one.keys()]))];
  }

  /** What waits, by subscriber; also for such as are gone. */
  backlog(): Promise<Backlog[]> {
    return this.messages.backlog();
  }

  /** The types of events that a subscriber hears of, and those of them that can be told again. */
  typesOf(subscriber: string): { readonly heard: string[]; readonly retold: string[] } {
    const heard = [...this.#subscribers].flatMap(([type, subscribers]) =>
      subscribers.has(subscriber) ? type : [],
    );
    return { heard, retold: heard.filter((type) => this.#sources.has(type)) };
  }

  /**
   * Tells a subscriber of what is there already, as events of these types, in pages by id. Each page is a unit of work in which
   * nobody changes what is told of: an event that is recorded before is part of what is told, one that is recorded after comes
   * behind it. Between pages it waits as the rate says.
   */
  async *replay(
    subscriber: string,
    types: readonly string[],
    from: Int64,
    { limit, seconds }: Rate,
  ): AsyncGenerator<ReplayProgress> {
    const size = Math.min(REPLAY_PAGE, limit);
    let pause = 0;
    for (const { type, tell } of types.map((name) => this.#sources.get(name)!)) {
      let [told, last] = [0, from - 1n];
      for (let isComplete = false; !isComplete;) {
        await sleep(pause);
        const page = await this.units.run(async () => {
          const payloads = await tell(last, size);
          for (const payload of payloads) await this.#add(subscriber, type, payload);
          return payloads;
        });
        told += page.length;
        last = page.at(-1)?.id ?? last;
        isComplete = page.length < size;
        pause = (page.length / limit) * seconds * 1_000;
        yield { type: type.name, told, last };
      }
    }
  }

  /** Delivers what is due, one round at a time, until the service stops. */
  @Interval(POLL_INTERVAL_MS)
  poll(): void {
    if (this.#isStopped) return;
    this.#round ??= this.deliver()
      // The next round retries.
      .catch((error: unknown) => this.log.debug(String(error)))
      .finally(() => (this.#round = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await this.#round;
  }

  /** Delivers until no message is due. */
  async deliver(): Promise<void> {
    const names = this.subscribers;
    if (names.length === 0) return;
    for (;;) {
      const messages = await this.messages.due(names, this.clock.now(), MAX_BATCH);
      if (messages.length === 0) return;
      for (const message of messages) await this.#deliverOne(message);
    }
  }

  async #deliverOne({ id, subscriber, type, aggregate, payload, failures }: OutboxMessage): Promise<void> {
    try {
      await this.units.run(async () => {
        const handler = this.#subscribers.get(type)?.get(subscriber);
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
