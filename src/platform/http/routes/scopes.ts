import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { nameOfHandler, type Route, Routes } from './routes.js';

const SCOPES = Symbol('scopes');

/**
 * Declares scopes of a module that its handlers check with `callerMay` or `requireScope`, and that no route requires. A route with such a
 * handler requires another scope, because a restricted key does not reach a handler without one.
 */
export function Scopes(...scopes: string[]): ClassDecorator {
  return (module) => Reflect.defineMetadata(SCOPES, scopes, module);
}

/** An area and a verb. Twenty scopes of the longest form fit into a key. */
const FORM = /^[a-z][a-z0-9-]{0,30}:[a-z][a-z0-9-]{0,16}$/;

/** The scopes that modules declare, which are the scopes of `@Scopes` and the scopes that their routes require. */
@Injectable()
export class DeclaredScopes {
  constructor(
    private readonly routes: Routes,
    private readonly modules: ModulesContainer,
  ) {}

  /** All scopes in alphabetical order. @throws Error for a scope that a key cannot have, or that is never checked */
  all(): string[] {
    const ofRoutes = this.routes.all().map((route) => {
      checkKeyIsAskedFor(route);
      return { place: `${nameOfHandler(route)} requires`, scopes: [route.scope ?? []].flat() };
    });
    const ofModules = [...this.modules.values()].map(({ metatype }) => ({
      place: `${metatype.name} declares`,
      scopes: (Reflect.getMetadata(SCOPES, metatype) ?? []) as string[],
    }));
    const declared = [...ofRoutes, ...ofModules];
    for (const { place, scopes } of declared) for (const scope of scopes) checkForm(scope, place);
    return [...new Set(declared.flatMap(({ scopes }) => scopes))].toSorted();
  }
}

function checkKeyIsAskedFor(route: Route): void {
  if (!route.isPublic || route.scope === undefined) return;
  throw new Error(
    `${nameOfHandler(route)} is public, so that nobody is asked for its scope ${route.scope}. Remove the scope, or @Public().`,
  );
}

function checkForm(scope: string, place: string): void {
  if (FORM.test(scope)) return;
  throw new Error(
    `${place} the scope "${scope}", which no key can have. A scope is an area and a verb, such as pets:read: lower-case ` +
      'letters, digits and hyphens, at most 31 and 17 characters, each beginning with a letter.',
  );
}
