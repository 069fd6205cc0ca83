import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

export interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...values: unknown[]) => unknown;
  /** The types of its parameters, as they are declared. */
  readonly types: readonly unknown[];
}

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
        types: (Reflect.getMetadata('design:paramtypes', methods, name) ?? []) as unknown[],
      }));
    });
  }
}
