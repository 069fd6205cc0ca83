import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DEPRECATION, type Deprecation, Sunsets } from './deprecation.js';

const DAYS_OF_WARNING = 90;

/** Tells the operator, at the start, which operations end soon or have ended. */
@Injectable()
export class DeprecationWarning implements OnApplicationBootstrap {
  readonly #log = new Logger('Deprecation');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly sunsets: Sunsets,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getControllers()) {
      const methods = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const name of this.scanner.getAllMethodNames(methods)) {
        const deprecation = Reflect.getMetadata(DEPRECATION, methods[name]!) as Deprecation | undefined;
        if (deprecation) this.#warn(`${instance.constructor.name}.${name}`, deprecation);
      }
    }
  }

  #warn(operation: string, deprecation: Deprecation): void {
    const days = this.sunsets.daysLeft(deprecation);
    if (this.sunsets.isGone(deprecation)) this.#log.warn(`${operation} is gone: it answers 410`);
    else if (days < 0) this.#log.warn(`${operation} is past its removal date and still served`);
    else if (days < DAYS_OF_WARNING) this.#log.warn(`${operation} is due to be removed in ${days} days`);
  }
}
