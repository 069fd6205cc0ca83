import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** A method of a controller, with its metadata. */
export interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...values: unknown[]) => unknown;
}

/** Lists the methods of the controllers of all modules. */
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
