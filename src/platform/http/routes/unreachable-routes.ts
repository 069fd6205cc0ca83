import { Injectable, RequestMethod, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import {
  HOST_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { DEFAULT_VERSION } from '../../config/base-path.js';
import { BadConfiguration } from '../../config/settings.js';
import { hasOne, parametersOf } from './route-parameters.js';

/** A handler at one of its paths, as Nest registers it with Express. */
interface Registered {
  readonly controller: Type;
  /** The name of the handler in the controller. */
  readonly property: string;
  readonly method: RequestMethod;
  /** The segments of the path, with its version, in the syntax of Express. */
  readonly segments: readonly string[];
  /** Whether some requests of its path go on to the routes behind it, because it is for one host, or may call `next`. */
  readonly passesOn: boolean;
}

/**
 * Finds routes that no request can reach, because a route that Express tries before them matches all of their requests. An example is
 * `dogs/all` behind `dogs/:id`.
 */
@Injectable()
export class UnreachableRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws BadConfiguration with a line for each route that no request can reach */
  check(): void {
    const all = this.#all();
    const mistakes = all.flatMap((route, i) => {
      const hiding = all.slice(0, i).find((earlier) => hides(earlier, route));
      return hiding ? [mistakeOf(route, hiding)] : [];
    });
    if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));
  }

  /** All handlers, in the order in which Nest registers them. */
  #all(): Registered[] {
    return this.discovery.getControllers().flatMap(({ metatype, host }) => {
      const controller = metatype as Type;
      const prefix = this.#prefixOf(host?.metatype);
      const methods = controller.prototype as Record<string, Function>;
      const handlers = this.scanner
        .getAllMethodNames(methods)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, methods[name]!));
      return listOf(PATH_METADATA, controller).flatMap((path) =>
        handlers.flatMap((name) => registered(controller, name, `${prefix}/${String(path)}`)),
      );
    });
  }

  /** The path that `RouterModule` gives to a module. */
  #prefixOf(module: unknown): string {
    if (typeof module !== 'function') return '';
    const ofThisApplication = Reflect.getMetadata(
      MODULE_PATH + this.modules.applicationId,
      module,
    ) as unknown;
    return String(ofThisApplication ?? Reflect.getMetadata(MODULE_PATH, module) ?? '');
  }
}

/** A handler at each of its paths. */
function registered(controller: Type, property: string, prefix: string): Registered[] {
  const handler = (controller.prototype as Record<string, Function>)[property]!;
  const versions = [
    listOf(VERSION_METADATA, handler),
    listOf(VERSION_METADATA, controller),
    [DEFAULT_VERSION],
  ];
  const places = versions
    .find((some) => some.length > 0)!
    .flatMap((version) => {
      const base = version === VERSION_NEUTRAL ? '' : `v${String(version)}`;
      return listOf(PATH_METADATA, handler).map((path) => `${base}/${prefix}/${String(path)}`);
    });
  const passesOn =
    Reflect.getMetadata(HOST_METADATA, controller) !== undefined ||
    hasOne(parametersOf(controller, property), RouteParamtypes.NEXT);
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  return places.map((path) => {
    const segments = path.split('/').filter((segment) => segment !== '');
    return { controller, property, method, segments, passesOn };
  });
}

/** The values of metadata of Nest that are one value or a list. */
const listOf = (key: string, place: object): unknown[] =>
  [(Reflect.getMetadata(key, place) ?? []) as unknown].flat();

/** Whether one route takes all requests of another one behind it. */
const hides = (earlier: Registered, later: Registered): boolean =>
  !earlier.passesOn &&
  (earlier.controller !== later.controller || earlier.property !== later.property) &&
  coversMethod(earlier.method, later.method) &&
  coversPath(earlier.segments, later.segments);

/** Express also answers HEAD by a route for GET. */
const coversMethod = (earlier: RequestMethod, later: RequestMethod): boolean =>
  [later, RequestMethod.ALL].includes(earlier) ||
  (earlier === RequestMethod.GET && later === RequestMethod.HEAD);

/** A whole segment that is a parameter, such as `:id`. */
const PARAMETER = /^:\w+$/;
/** A last segment that matches all segments from there on, such as `*path`. */
const WILDCARD = /^\{?\*\w*\}?$/;
/** Does not occur in a segment that always matches exactly one segment of a request. */
const SEVERAL_OR_NONE = /[*{}\\]/;

/** Whether a path matches each request that another path matches. False if the syntax does not tell. */
function coversPath(earlier: readonly string[], later: readonly string[]): boolean {
  const isOne = (segment: string | undefined) => segment !== undefined && !SEVERAL_OR_NONE.test(segment);
  const covers = (segment: string, i: number) =>
    segment === later[i] || (PARAMETER.test(segment) && isOne(later[i]));
  if (!WILDCARD.test(earlier.at(-1) ?? '')) return earlier.length === later.length && earlier.every(covers);
  const before = earlier.slice(0, -1);
  return later.length > before.length && before.every(covers) && later.slice(before.length).every(isOne);
}

const nameOf = ({ controller, property }: Registered) => `${controller.name}.${property}`;
const pathOf = ({ segments }: Registered) => `/${segments.join('/')}`;
const methodOf = ({ method }: Registered) =>
  method === RequestMethod.ALL ? 'all methods of' : RequestMethod[method];
const described = (route: Registered) => `${methodOf(route)} ${pathOf(route)} of ${nameOf(route)}`;

const mistakeOf = (route: Registered, hiding: Registered): string =>
  `${described(route)} can never be reached, because ${described(hiding)} is before it and matches its path. ${remedyOf(route, hiding)}`;

function remedyOf(route: Registered, hiding: Registered): string {
  const [own, other] = [route.controller.name, hiding.controller.name];
  if (hides(route, hiding)) return 'Give one of them another path.';
  if (route.controller === hiding.controller)
    return `Write ${route.property} above ${hiding.property} in ${own}.`;
  return `List ${own} before ${other} in \`controllers\` of the module, or the module of ${own} before the module of ${other}.`;
}
