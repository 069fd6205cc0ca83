import { Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

export interface Handler {
  readonly controller: Type;
  readonly name: string;
  readonly method: (...values: unknown[]) => unknown;
  readonly parameters: readonly Parameter[];
}

/** A parameter of a handler that has one of Nest's decorators. */
interface Parameter {
  readonly kind: RouteParamtypes;
  /** The name that was given to the decorator, as in `@Query('note')`. */
  readonly data?: unknown;
  readonly declaredType: unknown;
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
        parameters: parametersOf(instance.constructor as Type, name),
      }));
    });
  }
}

export function parametersOf(controller: Type, name: string): Parameter[] {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as
    unknown[] | undefined;
  const decorated = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Readonly<
    Record<string, { readonly data?: unknown }>
  >;
  return Object.entries(decorated).map(([key, { data }]) => {
    // Those of a module's own decorators begin with no number.
    const [kind, index] = key.split(':').map(Number);
    return { kind: kind!, data, declaredType: types?.[index!] };
  });
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
