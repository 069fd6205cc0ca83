import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';

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
  #all: readonly Handler[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** All that there are when the application is initialized. */
  all(): readonly Handler[] {
    return (this.#all ??= this.#find());
  }

  #find(): Handler[] {
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

/** A route as the document writes it: its path is below the base address, with parameters in braces. */
export interface Route {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
}

/** The name of an operation in the document: its own, or the one that @nestjs/swagger makes of the class and the method. */
export function operationNameOf({ controller, name, method }: Handler): string {
  const documented = Reflect.getMetadata(DECORATORS.API_OPERATION, method) as
    { operationId?: string } | undefined;
  return documented?.operationId ?? `${controller.name}_${name}`;
}

/** The methods of a handler with `@All` that an OpenAPI document can describe. */
const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head'];

/** The routes of a handler; none if it is not below the base address, or left out of the document. */
export function routesOf({ controller, method }: Handler): Route[] {
  const read = (key: string, ...targets: object[]) =>
    targets.map((target) => Reflect.getMetadata(key, target) as unknown).find((value) => value !== undefined);
  const verb = read(METHOD_METADATA, method) as RequestMethod | undefined;
  const version = read(VERSION_METADATA, method, controller) ?? '1';
  const isLeftOut =
    read(DECORATORS.API_EXCLUDE_ENDPOINT, method) ?? read(DECORATORS.API_EXCLUDE_CONTROLLER, controller);
  if (verb === undefined || ![version].flat().includes('1') || isLeftOut !== undefined) return [];
  const methods = verb === RequestMethod.ALL ? METHODS : [RequestMethod[verb].toLowerCase()];
  const pathsOf = (target: object) => [read(PATH_METADATA, target) as string | string[]].flat();
  return pathsOf(controller).flatMap((above) =>
    pathsOf(method).flatMap((below) => {
      const segments = `${above}/${below}`.split('/').filter((segment) => segment !== '');
      const path = segments.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join('');
      return methods.map((name) => ({ method: name, path }));
    }),
  );
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
