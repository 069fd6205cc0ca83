import type { Clock } from '../../../kernel/clock.js';
import { DAY, dayOf } from './day.js';
import type { DayOfUse } from './deprecated-uses.js';

/** So many pairs of operation and key are told apart between two times of writing; what is beyond is not counted. */
const MOST = 10_000;

type Count = { -readonly [Fact in keyof DayOfUse]: DayOfUse[Fact] };

/** Counts the uses of deprecated operations, until somebody takes the counts away to write them down. */
export class UseCounter {
  /** Grows with the keys that come, not with their requests, and is given away as a whole: see `InFlight`. */
  #counts = new Map<string, Count>();
  #today = { from: 0, day: '' };

  constructor(private readonly clock: Clock) {}

  note(operation: string, keyId: string): void {
    const lastUsedAt = this.clock.now();
    this.#count({ operation, keyId, day: this.#dayOf(lastUsedAt), uses: 1, lastUsedAt });
  }

  /** Hands over what was counted, and begins anew. */
  take(): DayOfUse[] {
    const counts = [...this.#counts.values()];
    if (counts.length > 0) this.#counts = new Map();
    return counts;
  }

  /** Takes back what could not be written. */
  putBack(counts: readonly DayOfUse[]): void {
    for (const count of counts) this.#count(count);
  }

  #count(more: DayOfUse): void {
    const name = `${more.day} ${more.keyId} ${more.operation}`;
    const count = this.#counts.get(name);
    if (count) {
      count.uses += more.uses;
      count.lastUsedAt = Math.max(count.lastUsedAt, more.lastUsedAt);
    } else if (this.#counts.size < MOST) this.#counts.set(name, { ...more });
  }

  #dayOf(time: number): string {
    const { from, day } = this.#today;
    if (time >= from && time < from + DAY) return day;
    const midnight = time - (time % DAY);
    this.#today = { from: midnight, day: dayOf(midnight) };
    return this.#today.day;
  }
}
