import type { Clock } from '../../kernel/clock.js';
import { type EventKind, Events, type Facts } from '../../kernel/events.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { OutboxRows } from './outbox-rows.js';

/** Records events in the unit of work that made them happen, one notice for each subscriber. */
export class Outbox extends Events {
  readonly #reactions = new Map<string, (facts: Facts) => Promise<void>>();
  readonly #subscribers = new Map<EventKind<Facts>, string[]>();

  constructor(
    private readonly rows: OutboxRows,
    private readonly ids: Sequence,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  override tell<Told extends Facts>(kind: EventKind<Told>, work: () => Promise<Told>): Promise<Told> {
    const subscribers = this.#subscribers.get(kind);
    return subscribers ? this.units.run(() => this.#record(kind, subscribers, work)) : work();
  }

  override subscribe<Told extends Facts>(
    kind: EventKind<Told>,
    subscriber: string,
    react: (facts: Told) => Promise<void>,
  ): void {
    const name = addressOf(subscriber, kind.name);
    if (this.#reactions.has(name)) throw new Error(`"${subscriber}" has subscribed to ${kind.name} already.`);
    this.#reactions.set(name, react as (facts: Facts) => Promise<void>);
    this.#subscribers.set(kind, [...(this.#subscribers.get(kind) ?? []), subscriber]);
  }

  /** Everybody who has subscribed to anything. */
  get subscribers(): string[] {
    return [...new Set([...this.#subscribers.values()].flat())];
  }

  /** What a subscriber does about a kind of event. */
  reactionOf(subscriber: string, kind: string): ((facts: Facts) => Promise<void>) | undefined {
    return this.#reactions.get(addressOf(subscriber, kind));
  }

  async #record<Told extends Facts>(kind: EventKind<Told>, subscribers: string[], work: () => Promise<Told>) {
    const facts = await work();
    for (const subscriber of subscribers) {
      const id = await this.ids.next();
      const thing = `${kind.thing}/${facts.id}`;
      await this.rows.add({ id, subscriber, kind: kind.name, thing, facts }, this.clock.now());
    }
    return facts;
  }
}

const addressOf = (subscriber: string, kind: string) => `${subscriber} ${kind}`;
