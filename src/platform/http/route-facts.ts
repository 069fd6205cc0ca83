import type { ExecutionContext, Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DEPRECATION, type Deprecation } from './deprecation/deprecation.js';
import { type Handler, parametersOf, propertyOf } from './handlers.js';
import { IS_PUBLIC, SCOPE } from './route.decorators.js';

/** What guards and interceptors need to know of a route, as its decorators say. */
interface RouteFacts {
  readonly isPublic: boolean;
  readonly scope: string | undefined;
  readonly deprecation: Deprecation | undefined;
  readonly wantsBody: boolean;
  /** The names of the query parameters that the handler takes; undefined if it takes the whole query. */
  readonly queryNames: readonly string[] | undefined;
}

/** By controller and handler, because reading metadata for each request is expensive. */
const known = new WeakMap<Type, Map<Function, RouteFacts>>();

export function factsOf(context: ExecutionContext): RouteFacts {
  const controller = context.getClass();
  const handler = context.getHandler();
  let ofController = known.get(controller);
  if (!ofController) known.set(controller, (ofController = new Map()));
  let facts = ofController.get(handler);
  if (!facts) ofController.set(handler, (facts = readFacts(controller, handler as Handler['method'])));
  return facts;
}

function readFacts(controller: Type, handler: Handler['method']): RouteFacts {
  const parameters = parametersOf(controller, propertyOf(controller, handler));
  const names = parameters.flatMap(({ kind, data }) => (kind === RouteParamtypes.QUERY ? [data] : []));
  const areNamed = names.every((name): name is string => typeof name === 'string');
  return {
    isPublic: [handler, controller].some((place) => Reflect.getMetadata(IS_PUBLIC, place) === true),
    scope: Reflect.getMetadata(SCOPE, handler) as string | undefined,
    deprecation: Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined,
    wantsBody: wantsBody(parameters),
    queryNames: areNamed ? names : undefined,
  };
}

const OF_BODY: readonly RouteParamtypes[] = [RouteParamtypes.BODY, RouteParamtypes.RAW_BODY];

/** Whether a handler takes the body, with `@Body()` or `@RawBody()`. */
export const wantsBody = (parameters: Handler['parameters']): boolean =>
  parameters.some(({ kind }) => OF_BODY.includes(kind));
