import { type ExecutionContext, Injectable, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import { PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import type { Deprecation } from '../deprecation/deprecation.js';
import { hasOne, type HeaderNames, headersOf, parametersOf, queryNamesOf } from './route-parameters.js';
import { type ApiError, MARKS, type RouteBodyLimit, type StabilityLevel } from './route.decorators.js';

/** What the decorators of a handler, of its parameters and of its controller declare. */
export interface Route {
  readonly controller: Type;
  /** The name of the handler in the controller. */
  readonly property: string;
  /** The name in the OpenAPI document. If the document does not have the route, the first segment of its path, such as `livez`. */
  readonly operation: string;
  readonly isPublic: boolean;
  readonly scope: string | undefined;
  readonly stability: StabilityLevel | undefined;
  readonly deprecation: Deprecation | undefined;
  readonly errors: readonly ApiError[];
  readonly headers: HeaderNames;
  /** Whether it has `@Body()` or `@RawBody()`. */
  readonly takesBody: boolean;
  /**
   * Whether code of its module may read anything in the query and the body. It may do so through `@Req()`, a parameter decorator of the
   * module, or a provider that Nest creates for each request.
   */
  readonly mayReadAll: boolean;
  /** Whether its module may read the body as a stream, through `@Req()` or for `@UploadedFile()`. */
  readonly takesStream: boolean;
  /** The media types of `@ApiConsumes`. */
  readonly consumes: readonly string[];
  /** The limit of `@BodyLimit`. */
  readonly bodyLimit: RouteBodyLimit | undefined;
  /** The names of its query parameters. Undefined if it takes the whole query, may read any parameter, or ignores the query. */
  readonly queryNames: readonly string[] | undefined;
}

/** The routes of all modules, read once, for guards, log, metrics, errors, scopes and the OpenAPI document. */
@Injectable()
export class Routes {
  readonly #known = new Map<Type, Map<Function, Route>>();
  #all: readonly Route[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** All routes. Call it only after Nest has created the modules. */
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
  const { operationId } = read<{ operationId?: string }>(DECORATORS.API_OPERATION, handler) ?? {};
  const isLeftOut =
    read<{ disable: boolean }>(DECORATORS.API_EXCLUDE_ENDPOINT, handler)?.disable === true ||
    read<boolean[]>(DECORATORS.API_EXCLUDE_CONTROLLER, controller)?.[0] === true;
  // Probes and the index are not operations. They have no version, are not in the OpenAPI document, and ignore their query.
  const ignoresQuery = isLeftOut && read(VERSION_METADATA, handler, controller) === VERSION_NEUTRAL;
  return {
    controller,
    property,
    operation:
      operationId ??
      (isLeftOut ? nameOfPath(pathOfHandler(controller, handler)) : `${controller.name}_${property}`),
    isPublic: isPublic(controller, handler),
    scope: read(MARKS.scope, handler),
    stability: read(MARKS.stability, handler),
    deprecation: read(MARKS.deprecation, handler),
    errors: read(MARKS.errors, handler) ?? [],
    headers: headersOf(controller, handler, parameters),
    takesBody: hasOne(parameters, RouteParamtypes.BODY, RouteParamtypes.RAW_BODY),
    mayReadAll,
    takesStream: hasOne(parameters, RouteParamtypes.REQUEST, RouteParamtypes.FILE, RouteParamtypes.FILES),
    consumes: read(DECORATORS.API_CONSUMES, handler, controller) ?? [],
    bodyLimit: read(MARKS.bodyLimit, handler),
    queryNames: ignoresQuery || mayReadAll ? undefined : queryNamesOf(handler, parameters),
  };
}

/** A class that extends a public class requires a key, unless it is public itself. Public handlers that it inherits stay public. */
const isPublic = (controller: Type, handler: Function) =>
  Reflect.hasMetadata(MARKS.isPublic, handler) || Reflect.hasOwnMetadata(MARKS.isPublic, controller);

/** The first of the paths of a handler, without a version. */
const pathOfHandler = (...places: [controller: Type, handler: Function]): string =>
  places.map((place) => [Reflect.getMetadata(PATH_METADATA, place) as string | string[]].flat()[0]).join('/');

/** The name of a path that is not an operation, such as `livez`: its first segment, up to a dot. */
export const nameOfPath = (path: string): string => /[^/.]+/.exec(path)?.[0] ?? 'index';

/** The name of the handler of a route in messages for developers, such as `PetsController.add`. */
export const nameOfHandler = ({ controller, property }: Route): string => `${controller.name}.${property}`;
