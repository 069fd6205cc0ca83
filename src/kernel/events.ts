import type { Int64 } from './int64.js';

/** What an event carries: text and exact integers, and the `id` of the aggregate that it happened to. */
export type EventPayload = { readonly id: Int64; readonly [name: string]: string | Int64 };

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
   * storage. Subscribe while the module is built: earlier events are not delivered.
   */
  abstract subscribe<Payload extends EventPayload>(
    type: EventType<Payload>,
    subscriber: string,
    handler: (payload: Payload) => Promise<void>,
  ): void;
}
