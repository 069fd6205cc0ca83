import type { Int64 } from './int64.js';

/**
 * What an event carries: text, exact integers, instants to the millisecond, and the `id` of the aggregate that it happened to. A
 * field may be absent; one that is added to a type later must be, for stored events lack it.
 */
export type EventPayload = { readonly id: Int64; readonly [name: string]: string | Int64 | Date | undefined };

/**
 * Tells of things that are there already, as one type of event: what the event would carry if they came into being now, for
 * at most `limit` of them whose id is above `after`, in the order of ids. Until the unit of work in which it is called ends,
 * nobody changes these things.
 */
export type Retelling<Payload extends EventPayload> = (
  after: Int64,
  limit: number,
) => Promise<readonly Payload[]>;

/**
 * A type of event. The module in which it happens declares it in its domain and exports it at its door. Its name is stored, so
 * it never changes; `aggregate` is the type of what it happens to, such as `pet`.
 */
export class EventType<Payload extends EventPayload> {
  declare protected readonly payload: Payload;

  constructor(
    readonly aggregate: string,
    readonly name: string,
  ) {}
}

/** Lets modules react to what happens in others, without either knowing the other. */
export abstract class Events {
  /**
   * Does `work` and records the event whose payload it returns, as one unit of work; without subscribers to this type it
   * is `work` and nothing else. The events of one aggregate are kept in order, if `work` has changed it in storage.
   */
  abstract record<Payload extends EventPayload>(
    type: EventType<Payload>,
    work: () => Promise<Payload>,
  ): Promise<Payload>;

  /**
   * Calls `handler` for every event of a type from now on: soon after it happened, at least once, in order for each
   * aggregate. Each call is a unit of work; one that throws is rolled back and retried later. `subscriber` is its name in
   * storage. Subscribe while the module is built. Earlier events are not delivered; what there is to tell of them is
   * told by `petstore events replay`.
   */
  abstract subscribe<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void;

  /** Lets `petstore events replay` tell of what is there already as events of this type. */
  abstract retell<Payload extends EventPayload>(type: EventType<Payload>, tell: Retelling<Payload>): void;
}
