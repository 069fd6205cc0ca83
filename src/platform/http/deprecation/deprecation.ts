import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../config/settings.js';

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

/** The metadata of a handler that is deprecated. */
export const DEPRECATION = Symbol('deprecation');

/** In ms. */
export const DAY = 86_400_000;

/** The day of a time, in UTC, as `YYYY-MM-DD`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Decides which deprecated operations have come to their end. */
@Injectable()
export class DeprecationPolicy {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  isGone({ sunset }: Deprecation): boolean {
    const { deprecatedOperations: mode } = this.settings;
    if (mode !== 'auto') return mode === 'gone';
    return this.clock.now() >= Date.parse(sunset);
  }

  /** Whole days until the operation is removed; negative afterwards. */
  daysLeft({ sunset }: Deprecation): number {
    return Math.floor((Date.parse(sunset) - this.clock.now()) / DAY);
  }
}
