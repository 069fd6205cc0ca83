import type { Int64 } from './int64.js';

/**
 * The payload of an event: text, lists of texts, exact integers, finite numbers, booleans, instants to the millisecond, null, and
 * the `id` of the aggregate. A field may be absent. A field that is added to a type later must be optional, because stored events
 * lack it.
 */
export type EventPayload = {
  readonly id: Int64;
  readonly [name: string]: string | readonly string[] | Int64 | number | boolean | Date | null | undefined;
};

/**
 * A type of event. The module in which it happens declares it in its domain, and exports it from its `index.ts`. The name is
 * stored, so it never changes. `aggregate` is the type of the aggregate, such as `pet`.
 */
export class EventType<Payload extends EventPayload> {
  declare protected readonly payload: Payload;

  constructor(
    readonly aggregate: string,
    readonly name: string,
  ) {}
}

/** One try to deliver an event to an outbound subscriber. */
export interface Delivery {
  /** Identifies the event for this subscriber. It is the same in each try, so a receiver can recognise a repeated event by it. */
  readonly id: Int64;
  /** 1 in the first try. */
  readonly attempt: number;
  /** Is aborted 50 s after the try has begun, and when the service stops. Pass it to everything that waits, such as `fetch`. */
  readonly signal: AbortSignal;
}

/** Lets modules react to events of other modules, while neither module depends on the other. */
export abstract class Events {
  /**
   * Runs `work`, and records the event whose payload it returns, or the events of a list, in one unit of work. If this type has
   * no subscribers, it only runs `work`. The events of one aggregate keep their order if `work` has changed the aggregate in
   * storage.
   */
  abstract record<Payload extends EventPayload, Recorded extends Payload | readonly Payload[]>(
    type: EventType<Payload>,
    work: () => Promise<Recorded>,
  ): Promise<Recorded>;

  /**
   * Calls `handler` for every event of a type from now on: soon after the event, at least once, and in order for each aggregate.
   * Each call is a unit of work. A call that throws is rolled back and retried later. `subscriber` is the name of the subscriber
   * in storage. Subscribe while the module is built. Earlier events are not delivered.
   */
  abstract subscribe<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void;

  /**
   * Calls `handler` like `subscribe`, but outside of a transaction, so that it may call another system. The event is delivered when
   * `handler` returns. A call that throws, or that a dying process interrupts, is repeated with the same id: 20 times within an hour,
   * or `tries` times. Then the event is set aside, and later events of its aggregate are delivered.
   */
  abstract subscribeOutbound<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload, delivery: Delivery) => Promise<void>,
    options?: { readonly tries?: number },
  ): void;
}
