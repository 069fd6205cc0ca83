import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DECORATORS } from '@nestjs/swagger';
import { MARKS } from './route.decorators.js';

/** A parameter of a handler that has a decorator of Nest, or of `createParamDecorator`. */
export interface Parameter {
  /** Undefined for a decorator of `createParamDecorator`. */
  readonly kind: RouteParamtypes | undefined;
  /** The name that was given to the decorator, as in `@Query('note')`. */
  readonly name: unknown;
  /** Its position in the signature of the handler. */
  readonly index: number;
  /** Whether it may read anything in the request. True for `@Req()`, and for a decorator of a module that does not declare what it reads. */
  readonly mayReadAll: boolean;
}

interface Decorated {
  readonly data?: unknown;
  /** The function that was passed to `createParamDecorator`. */
  readonly factory?: object;
}

/** The decorated parameters of a handler, from the metadata of Nest. */
export function parametersOf(controller: Type, property: string): Parameter[] {
  const decorated = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, property) ?? {}) as Readonly<
    Record<string, Decorated>
  >;
  return Object.entries(decorated).map(([key, { data, factory }]) => {
    // The key is the kind and the index.
    const [kind, index] = key.split(':').map(Number);
    return {
      kind: factory ? undefined : kind,
      name: data,
      index: index!,
      mayReadAll: factory
        ? !Reflect.hasMetadata(MARKS.readsOnlyDeclared, factory)
        : kind === RouteParamtypes.REQUEST,
    };
  });
}

/** The names in `@Query('note')` and `@ApiQuery`. Undefined if a parameter takes the whole query. */
export function queryNamesOf(handler: Function, parameters: readonly Parameter[]): string[] | undefined {
  const read = parameters.filter(({ kind }) => kind === RouteParamtypes.QUERY).map(({ name }) => name);
  const documented = (Reflect.getMetadata(DECORATORS.API_PARAMETERS, handler) ?? []) as readonly {
    readonly in?: string;
    readonly name?: unknown;
  }[];
  const isText = (name: unknown): name is string => typeof name === 'string' && name !== '';
  if (!read.every(isText)) return undefined;
  const others = documented.filter((one) => one.in === 'query').map(({ name }) => name);
  return [...new Set([...read, ...others.filter(isText)])];
}

/** Whether one of the parameters has one of these decorators. */
export const hasOne = (parameters: readonly Parameter[], ...kinds: RouteParamtypes[]) =>
  parameters.some(({ kind }) => kind !== undefined && kinds.includes(kind));
