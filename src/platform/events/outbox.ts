import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../kernel/clock.js';
import { type EventPayload, Events, type EventType, type ReplaySource } from '../../kernel/events.js';
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

/** The number of things that are published in one unit of work. */
const REPLAY_PAGE = 100;

type Handler = (payload: EventPayload) => Promise<void>;
type Subscribers = Map<string, Handler>;
interface Replay {
  readonly type: EventType<EventPayload>;
  readonly source: ReplaySource<EventPayload>;
}

export interface ReplayProgress {
  readonly type: string;
  /** The number of things that were published, and the id of the last one. */
  readonly published: number;
  readonly last: Int64;
}

/**
 * A transactional outbox with its relay. An event is recorded in the unit of work in which it happens, as one message for each
 * subscriber. Taking a message and handling it are one unit of work: the handler's changes are stored once, however many
 * replicas deliver and whenever one dies. A failing message delays only later messages of its aggregate.
 */
@Injectable()
export class Outbox extends Events implements BeforeApplicationShutdown {
  readonly #subscribers = new Map<string, Subscribers>();
  readonly #replays = new Map<string, Replay>();
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

  override enableReplay<Payload extends EventPayload>(
    type: EventType<Payload>,
    source: ReplaySource<Payload>,
  ): void {
    this.#replays.set(type.name, { type, source } as unknown as Replay);
  }

  get subscribers(): string[] {
    return [...new Set([...this.#subscribers.values()].flatMap((one) => [...one.keys()]))];
  }

  /** The waiting messages by subscriber, including subscribers that no longer exist. */
  backlog(): Promise<Backlog[]> {
    return this.messages.backlog();
  }

  /** The types of events that a subscriber handles, and those among them that can be replayed. */
  typesOf(subscriber: string): { readonly subscribed: string[]; readonly replayable: string[] } {
    const subscribed = [...this.#subscribers].flatMap(([type, subscribers]) =>
      subscribers.has(subscriber) ? type : [],
    );
    return { subscribed, replayable: subscribed.filter((type) => this.#replays.has(type)) };
  }

  /**
   * Publishes existing things to one subscriber as events of these types, in pages by id. Each page is a unit of work in which
   * the things cannot change: earlier events are included in what is published, later events follow it. Waits between pages
   * according to the rate.
   */
  async *replay(
    subscriber: string,
    types: readonly string[],
    from: Int64,
    { limit, seconds }: Rate,
  ): AsyncGenerator<ReplayProgress> {
    const size = Math.min(REPLAY_PAGE, limit);
    let pause = 0;
    for (const { type, source } of types.map((name) => this.#replays.get(name)!)) {
      let [published, last] = [0, from - 1n];
      for (let isComplete = false; !isComplete;) {
        await sleep(pause);
        const page = await this.units.run(async () => {
          const payloads = await source(last, size);
          for (const payload of payloads) await this.#add(subscriber, type, payload);
          return payloads;
        });
        published += page.length;
        last = page.at(-1)?.id ?? last;
        isComplete = page.length < size;
        pause = (page.length / limit) * seconds * 1_000;
        yield { type: type.name, published, last };
      }
    }
  }

  /** Delivers due messages, one round at a time, until the service stops. */
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

  /** Delivers messages until none is due. */
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
