import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

export interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...values: unknown[]) => unknown;
  /** The declared types of its parameters. */
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

/** The name of the controller's property that holds the handler; a function wrapped by a decorator may have another name. */
export function propertyOf(controller: Type, handler: Handler['method'] | Function): string {
  let methods = controller.prototype as object | null;
  for (; methods !== null; methods = Object.getPrototypeOf(methods) as object | null) {
    const entries = Object.entries(Object.getOwnPropertyDescriptors(methods));
    const found = entries.find(([, { value }]) => value === handler);
    if (found) return found[0];
  }
  return handler.name;
}
