import type { Facts } from '../../kernel/events.js';
import type { Int64 } from '../../kernel/int64.js';

/** An event on its way to one subscriber. */
export interface Notice {
  readonly id: Int64;
  readonly subscriber: string;
  readonly kind: string;
  /** What it happened to, such as `pet/42`. Notices of one thing reach a subscriber one after another. */
  readonly thing: string;
  readonly facts: Facts;
  /** How often the subscriber has failed. */
  readonly failures: number;
}

/** What is on its way to one subscriber. */
export interface Backlog {
  readonly subscriber: string;
  readonly waiting: number;
  /** When the oldest of them happened, in milliseconds since 1970. */
  readonly since: number;
  /** How many of them their subscriber has failed on, and what it said of one of these. */
  readonly failing: number;
  readonly problem: string | null;
}

/** Where notices wait. */
export abstract class OutboxRows {
  /** Puts a notice behind all others for the same subscriber and thing, in the caller's unit of work. */
  abstract add(notice: Omit<Notice, 'failures'>, now: number): Promise<void>;
  /** Notices for these subscribers that may be delivered now: of each thing only the first, at most `limit`. */
  abstract due(subscribers: string[], now: number, limit: number): Promise<Notice[]>;
  /** Takes a notice out, in the caller's unit of work. @returns false if another replica was faster */
  abstract take(id: Int64): Promise<boolean>;
  /** Notes that the subscriber failed, and when to try again. */
  abstract postpone(id: Int64, until: number, problem: string): Promise<void>;
  /** What waits, by subscriber. */
  abstract backlog(): Promise<Backlog[]>;
  /** Gives up what waits for a subscriber. @returns how many notices that were */
  abstract drop(subscriber: string): Promise<number>;
}
