import { type Parameter, parametersOf } from '../../src/platform/http/routes/route-parameters.js';
import type { Route } from '../../src/platform/http/routes/routes.js';

/** The method that handles the requests of a route. Decorators of the route attach their metadata to it. */
export const handlerOf = ({ controller, property }: Route): Function =>
  (controller.prototype as Record<string, Function>)[property]!;

interface DeclaredParameter extends Parameter {
  /** The type in the signature of the handler. */
  readonly declaredType: unknown;
}

/** The decorated parameters of the handler of a route. */
export function declaredParametersOf({ controller, property }: Route): DeclaredParameter[] {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, property) as
    unknown[] | undefined;
  return parametersOf(controller, property).map((parameter) => ({
    ...parameter,
    declaredType: types?.[parameter.index],
  }));
}
