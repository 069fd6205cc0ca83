import type { Int64 } from './int64.js';

/** What is told of an event: words and exact integers, and the `id` of the thing that it happened to. */
export type Facts = { readonly id: Int64; readonly [name: string]: string | Int64 };

/**
 * One kind of event. The module in which it happens declares it in its domain and shows it at its door. Its name is kept in
 * storage, so it stays for good; `thing` names what it happens to, such as `pet`.
 */
export class EventKind<Told extends Facts> {
  declare protected readonly told: Told;

  constructor(
    readonly thing: string,
    readonly name: string,
  ) {}
}

/** Lets modules react to what happens in others, without either knowing the other. */
export abstract class Events {
  /**
   * Does `work` and records what it says has happened, as one unit of work; where nobody has subscribed to this kind it is
   * `work` and nothing else. Of one thing events are kept in order, if `work` has changed that thing in storage.
   */
  abstract tell<Told extends Facts>(kind: EventKind<Told>, work: () => Promise<Told>): Promise<Told>;

  /**
   * From now on `react` hears of every event of a kind: soon after it happened, at least once, of one thing in order. Each
   * reaction is a unit of work; one that throws is undone and tried again later. `subscriber` is its name in storage.
   * Subscribe while the module is built: what was told before is not heard.
   */
  abstract subscribe<Told extends Facts>(
    kind: EventKind<Told>,
    subscriber: string,
    react: (facts: Told) => Promise<void>,
  ): void;
}
