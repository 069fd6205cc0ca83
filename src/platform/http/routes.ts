import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Deprecation, Deprecations } from './deprecation/deprecation.js';
import { hasOne, type Parameter, parametersOf, queryNamesOf } from './route-parameters.js';
import { type ApiError, MARKS, type StabilityLevel } from './route.decorators.js';

/** What the decorators of a handler, of its parameters and of its controller say. */
export interface Route {
  readonly controller: Type;
  readonly handler: Function;
  /** The property of the controller that is the handler. */
  readonly property: string;
  /** Of the document; of a route that is not in it the first part of its path, such as `livez`. */
  readonly operation: string;
  /** As the document has them, below the base address; none if the route is not in the document. */
  readonly addresses: readonly Address[];
  readonly isPublic: boolean;
  readonly scope: string | undefined;
  readonly stability: StabilityLevel | undefined;
  readonly deprecation: Deprecation | undefined;
  readonly errors: readonly ApiError[];
  readonly parameters: readonly Parameter[];
  /** Whether it has `@Body()` or `@RawBody()`. */
  readonly takesBody: boolean;
  /**
   * Whether code of its module may read any of query and body: through `@Req()`, a parameter decorator of the module, or what Nest
   * makes anew for each request.
   */
  readonly mayReadAll: boolean;
  /** Whether its module may read the body as a stream: through `@Req()`, or for `@UploadedFile()`. */
  readonly takesStream: boolean;
  /** The media types of `@ApiConsumes`. */
  readonly consumes: readonly string[];
  /** The names of its query parameters; undefined if it takes the whole query, or may read any of it. */
  readonly queryNames: readonly string[] | undefined;
}

interface Address {
  /** In lower case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** The routes of all modules, read once: guards, log, metrics, errors, scopes and the document know them from here. */
@Injectable()
export class Routes {
  readonly #known = new Map<Type, Map<Function, Route>>();
  #all: readonly Route[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** All that there are once the modules are there. */
  all(): readonly Route[] {
    return (this.#all ??= this.discovery.getControllers().flatMap((wrapper) => {
      const instance = wrapper.instance as object;
      const methods = Object.getPrototypeOf(instance) as Record<string, Function>;
      const names = this.scanner.getAllMethodNames(methods);
      const isLasting = wrapper.isDependencyTreeStatic();
      return names.map((name) => this.#note(instance.constructor as Type, methods[name]!, name, isLasting));
    }));
  }

  of(context: ExecutionContext): Route {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    return this.#known.get(controller)?.get(handler) ?? this.#note(controller, handler, handler.name);
  }

  #note(controller: Type, handler: Function, property: string, isLasting = true): Route {
    const route = readRoute(controller, handler, property, isLasting);
    const ofController = this.#known.get(controller) ?? new Map<Function, Route>();
    this.#known.set(controller, ofController.set(handler, route));
    return route;
  }
}

function readRoute(controller: Type, handler: Function, property: string, isLasting: boolean): Route {
  const read = <Value>(key: string | symbol, ...places: object[]) =>
    places
      .map((place) => Reflect.getMetadata(key, place) as Value | undefined)
      .find((one) => one !== undefined);
  const parameters = parametersOf(controller, property);
  const mayReadAll = !isLasting || parameters.some((parameter) => parameter.mayReadAll);
  const addresses = addressesOf(controller, handler);
  const { operationId } = read<{ operationId?: string }>(DECORATORS.API_OPERATION, handler) ?? {};
  const [segment = 'index'] = pathsOf(controller, handler)[0] ?? [];
  return {
    controller,
    handler,
    property,
    operation:
      addresses.length > 0 ? (operationId ?? `${controller.name}_${property}`) : /[^.]+/.exec(segment)![0],
    addresses,
    isPublic: isPublic(controller, handler),
    scope: read(MARKS.scope, handler),
    stability: read(MARKS.stability, handler),
    deprecation: read(MARKS.deprecation, handler),
    errors: read(MARKS.errors, handler) ?? [],
    parameters,
    takesBody: hasOne(parameters, RouteParamtypes.BODY, RouteParamtypes.RAW_BODY),
    mayReadAll,
    takesStream: hasOne(parameters, RouteParamtypes.REQUEST, RouteParamtypes.FILE, RouteParamtypes.FILES),
    consumes: read(DECORATORS.API_CONSUMES, handler, controller) ?? [],
    queryNames: mayReadAll ? undefined : queryNamesOf(handler, parameters),
  };
}

/** The class says it for itself: a class that extends a public one asks for a key, except at public handlers that it inherits. */
const isPublic = (controller: Type, handler: Function) =>
  Reflect.hasMetadata(MARKS.isPublic, handler) || Reflect.hasOwnMetadata(MARKS.isPublic, controller);

/** The methods of a handler with `@All` that an OpenAPI document can describe. */
const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head'];

/** None if the route is not below the base address, or left out of the document. */
function addressesOf(controller: Type, handler: Function): Address[] {
  const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  const version = (Reflect.getMetadata(VERSION_METADATA, handler) ??
    Reflect.getMetadata(VERSION_METADATA, controller) ??
    '1') as string | symbol | (string | symbol)[];
  const isLeftOut =
    Reflect.hasMetadata(DECORATORS.API_EXCLUDE_ENDPOINT, handler) ||
    Reflect.hasMetadata(DECORATORS.API_EXCLUDE_CONTROLLER, controller);
  if (verb === undefined || ![version].flat().includes('1') || isLeftOut) return [];
  const methods = verb === RequestMethod.ALL ? METHODS : [RequestMethod[verb].toLowerCase()];
  return pathsOf(controller, handler).flatMap((segments) => {
    const path = segments.map((segment) => `/${segment.replace(/^:(.+)$/, '{$1}')}`).join('');
    return methods.map((method) => ({ method, path }));
  });
}

/** The segments of each path of a handler. */
function pathsOf(...places: [controller: Type, handler: Function]): string[][] {
  const [above, below] = places.map((place) =>
    [Reflect.getMetadata(PATH_METADATA, place) as string | string[]].flat(),
  );
  return above!.flatMap((outer) => below!.map((inner) => `${outer}/${inner}`.split('/').filter(Boolean)));
}

const ROUTE = Symbol('route');
/** What is known of a page is its name alone. */
type Matched = Pick<Route, 'operation'> & Partial<Route>;
type Routed = Request & { [ROUTE]?: Matched };

/** Stores on the request what it matched. */
export const setRoute = (request: Request, route: Matched) => void ((request as Routed)[ROUTE] = route);

/** What a request matched; undefined if nothing, or if it was refused before. */
export const routeOf = (request: Request): Matched | undefined => (request as Routed)[ROUTE];

/** The first guard: tells the request its route, and sets the headers that all answers of the route have, refusals too. */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    private readonly routes: Routes,
    private readonly deprecations: Deprecations,
  ) {}

  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const route = this.routes.of(context);
    const response = context.switchToHttp().getResponse<Response>();
    setRoute(context.switchToHttp().getRequest<Request>(), route);
    if (route.stability) response.setHeader('Stability', route.stability);
    if (route.deprecation) this.deprecations.announce(route.deprecation, response);
    return true;
  }
}
