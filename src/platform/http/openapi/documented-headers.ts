import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import { SUCCESS, type Success } from './operation.decorator.js';

/** The names of headers that requests and responses may have. */
export interface HeaderNames {
  readonly request: readonly string[];
  readonly response: readonly string[];
}

interface Documented {
  readonly in?: string;
  readonly name?: string;
}
type Responses = Readonly<Record<string, { readonly headers?: object }>>;

/** The headers that `@ApiHeader`, `@ApiResponse` and `success` of `@Operation` document, on a handler or its controller. */
export function documentedHeaders(controller: Type, handler: Function): HeaderNames {
  const read = <Value>(key: string | symbol, place: object) =>
    Reflect.getMetadata(key, place) as Value | undefined;
  const parameters = [
    ...(read<Documented[]>(DECORATORS.API_PARAMETERS, handler) ?? []),
    ...(read<Documented[]>(DECORATORS.API_HEADERS, controller) ?? []),
  ];
  const responses = [controller, handler].flatMap((place) =>
    Object.values(read<Responses>(DECORATORS.API_RESPONSE, place) ?? {}),
  );
  const answers = [...responses, read<Success>(SUCCESS, handler) ?? {}];
  return {
    request: parameters.flatMap(({ in: where, name }) => (where === 'header' && name ? [name] : [])),
    response: answers.flatMap(({ headers }) => Object.keys(headers ?? {})),
  };
}
