import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { BadConfiguration } from '../../config/settings.js';

/** In ms. Node.js runs a timer with a longer time at once, and again each ms if it is an interval. */
const LONGEST = 2 ** 31 - 1;

/** The metadata that @nestjs/schedule stores on a method, which member of it is the time of a timer, and how a message names it. */
const TIMES = [
  ['SCHEDULE_INTERVAL_OPTIONS', 'timeout', '@Interval'],
  ['SCHEDULE_TIMEOUT_OPTIONS', 'timeout', '@Timeout'],
  ['SCHEDULE_CRON_OPTIONS', 'initialDelay', 'initialDelay of @Cron'],
] as const;

/** The timers that modules declare by the decorators of @nestjs/schedule. */
@Injectable()
export class Timers {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws BadConfiguration if a timer is longer than Node.js can wait */
  check(): void {
    const all = [...this.discovery.getControllers(), ...this.discovery.getProviders()];
    const mistakes = new Set(all.flatMap(({ instance }) => this.#mistakesOf(instance)));
    if (mistakes.size > 0) throw new BadConfiguration([...mistakes].join('\n'));
  }

  #mistakesOf(instance: unknown): string[] {
    if (typeof instance !== 'object' || instance === null) return [];
    const methods = Object.getPrototypeOf(instance) as Record<string, object> | null;
    if (methods === null) return [];
    return this.scanner.getAllMethodNames(methods).flatMap((name) =>
      TIMES.flatMap(([key, member, what]) => {
        const options = Reflect.getMetadata(key, methods[name]!) as Record<string, unknown> | undefined;
        if (Number(options?.[member] ?? 0) <= LONGEST) return [];
        return [
          `${what} of ${instance.constructor.name}.${name} is longer than ${LONGEST} ms, the longest time of a timer, ` +
            "so it would run at once. Use @Cron, such as @Cron('0 5 1 * *').",
        ];
      }),
    );
  }
}
