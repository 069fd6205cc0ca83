import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A method of a controller; decorators have left their notes on both. */
export interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...values: unknown[]) => unknown;
}

/** Knows what the controllers of all modules of this application can do. */
@Injectable()
export class Handlers {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): Handler[] {
    return this.discovery.getControllers().flatMap(({ instance }) => {
      const methods = Object.getPrototypeOf(instance) as Record<string, Handler['method']>;
      const names = this.scanner.getAllMethodNames(methods);
      return names.map((name) => ({
        controller: instance.constructor as Type,
        name,
        method: methods[name]!,
      }));
    });
  }
}
