import type { Clock } from '../../../kernel/clock.js';
import type { DeprecatedOperations } from '../../config/settings.js';
import { DAY } from './day.js';

/** What an operation's end looks like. Days are in UTC and begin at midnight. */
export interface Deprecation {
  /** `YYYY-MM-DD`: deprecated from this day on. */
  readonly since: string;
  /** `YYYY-MM-DD`: removed from this day on. */
  readonly sunset: string;
  /** The operation that replaces it, as a path below the base address; `answer` is what the operation returned, if it did. */
  readonly successor: (answer?: unknown) => Successor;
}

export interface Successor {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

export const DEPRECATION = Symbol('deprecation');

/** Knows which deprecated operations have come to their end. */
export class Sunsets {
  constructor(
    private readonly clock: Clock,
    private readonly mode: DeprecatedOperations,
  ) {}

  isGone({ sunset }: Deprecation): boolean {
    if (this.mode !== 'auto') return this.mode === 'gone';
    return this.clock.now() >= Date.parse(sunset);
  }

  /** Whole days until the operation is removed; negative afterwards. */
  daysLeft({ sunset }: Deprecation): number {
    return Math.floor((Date.parse(sunset) - this.clock.now()) / DAY);
  }
}
