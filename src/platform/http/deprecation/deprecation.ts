import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../config/settings.js';
import { Handlers, operationNameOf, type Route, routesOf } from '../handlers.js';

/** How an operation ends. Days are in UTC and begin at midnight. */
export interface Deprecation {
  /** `YYYY-MM-DD`: deprecated from this day on. */
  readonly since: string;
  /** `YYYY-MM-DD`: removed from this day on. */
  readonly sunset: string;
  /** The operation that replaces it, as a path below the base address; `answer` is the operation's answer, if there is one. */
  readonly successor: (answer?: unknown) => Successor;
}

export interface Successor {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

export const DEPRECATION = Symbol('deprecation');

const DAY_MS = 86_400_000;

/** Decides which deprecated operations have been removed. */
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
    return Math.floor((Date.parse(sunset) - this.clock.now()) / DAY_MS);
  }
}

/** An operation with `@Deprecated`, as the document describes it. */
export interface DeprecatedOperation extends Deprecation, Route {
  readonly name: string;
  /** Whether it answers 410. */
  readonly gone: boolean;
  /** Whole days until it is removed; negative afterwards. */
  readonly daysLeft: number;
}

const WARNING_DAYS = 90;

/** Finds the deprecated operations of all modules. */
@Injectable()
export class DeprecatedOperations {
  readonly #log = new Logger('Deprecation');
  #found: (Deprecation & Route & { readonly name: string })[] | undefined;

  constructor(
    private readonly handlers: Handlers,
    private readonly policy: DeprecationPolicy,
  ) {}

  /** As they are at the moment. */
  all(): DeprecatedOperation[] {
    this.#found ??= this.handlers.all().flatMap((handler) => {
      const deprecation = Reflect.getMetadata(DEPRECATION, handler.method) as Deprecation | undefined;
      const [route] = routesOf(handler);
      if (!deprecation || !route) return [];
      return { ...deprecation, ...route, name: operationNameOf(handler) };
    });
    return this.#found.map((operation) => ({
      ...operation,
      gone: this.policy.isGone(operation),
      daysLeft: this.policy.daysLeft(operation),
    }));
  }

  /** Logs which operations end soon or have ended. */
  warn(): void {
    for (const { name, gone, daysLeft } of this.all()) {
      if (gone) this.#log.warn(`${name} is gone: it answers 410`);
      else if (daysLeft < 0) this.#log.warn(`${name} is past its removal date and still served`);
      else if (daysLeft < WARNING_DAYS) this.#log.warn(`${name} is due to be removed in ${daysLeft} days`);
    }
  }
}
