import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DECORATORS } from '@nestjs/swagger';
import { SUCCESS } from '../openapi/operation.decorator.js';
import { type HeaderNotes, MARKS } from './route.decorators.js';

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
  if (!read.every(isName)) return undefined;
  return [...new Set([...read, ...documentedNames('query', DECORATORS.API_PARAMETERS, handler)])];
}

/** The names of headers that requests and responses may have. */
export interface HeaderNames {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

/**
 * The headers that `@ApiHeader`, `@ApiResponse`, `@SentHeader` and `success` of `@Operation` document, on a handler or its controller, and
 * the names in `@Headers('note')`.
 */
export function headersOf(
  controller: Type,
  handler: Function,
  parameters: readonly Parameter[],
): HeaderNames {
  const read = parameters.filter(({ kind }) => kind === RouteParamtypes.HEADERS).map(({ name }) => name);
  const responses = [controller, handler].flatMap((place) =>
    Object.values(
      (Reflect.getMetadata(DECORATORS.API_RESPONSE, place) ?? {}) as Readonly<Record<string, Response>>,
    ),
  );
  const success = (Reflect.getMetadata(SUCCESS, handler) ?? {}) as Response;
  const sent = { headers: sentHeadersOf(handler) };
  return {
    request: [
      ...documentedNames('header', DECORATORS.API_PARAMETERS, handler),
      ...documentedNames('header', DECORATORS.API_HEADERS, controller),
      ...read.filter(isName),
    ],
    response: [...responses, success, sent].flatMap(({ headers = {} }) => Object.keys(headers)),
  };
}

/** The headers that decorators of parameters let a handler set. */
export const sentHeadersOf = (handler: Function): HeaderNotes =>
  (Reflect.getMetadata(MARKS.sentHeaders, handler) ?? {}) as HeaderNotes;

interface Response {
  readonly headers?: object;
}

function documentedNames(where: 'query' | 'header', key: string, place: Function): string[] {
  const documented = (Reflect.getMetadata(key, place) ?? []) as readonly {
    readonly in?: string;
    readonly name?: unknown;
  }[];
  return documented.flatMap(({ in: one, name }) => (one === where && isName(name) ? [name] : []));
}

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';

/** Whether one of the parameters has one of these decorators. */
export const hasOne = (parameters: readonly Parameter[], ...kinds: RouteParamtypes[]) =>
  parameters.some(({ kind }) => kind !== undefined && kinds.includes(kind));
