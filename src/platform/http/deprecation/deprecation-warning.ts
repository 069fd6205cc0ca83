import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DeprecatedList, type DeprecatedOperation } from './deprecated-list.js';
import { Sunsets } from './deprecation.js';

const DAYS_OF_WARNING = 90;

/** Tells the operator, at the start, which operations end soon or have ended. */
@Injectable()
export class DeprecationWarning implements OnApplicationBootstrap {
  readonly #log = new Logger('Deprecation');

  constructor(
    private readonly deprecated: DeprecatedList,
    private readonly sunsets: Sunsets,
  ) {}

  onApplicationBootstrap(): void {
    this.deprecated.all().forEach((operation) => this.#warn(operation));
  }

  #warn({ name, deprecation }: DeprecatedOperation): void {
    const days = this.sunsets.daysLeft(deprecation);
    if (this.sunsets.isGone(deprecation)) this.#log.warn(`${name} is gone: it answers 410`);
    else if (days < 0) this.#log.warn(`${name} is past its removal date and still served`);
    else if (days < DAYS_OF_WARNING) this.#log.warn(`${name} is due to be removed in ${days} days`);
  }
}
