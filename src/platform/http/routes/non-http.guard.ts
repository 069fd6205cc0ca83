import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { nameOfHandler, type Route, Routes } from './routes.js';

/** Rejects a call of a handler that is not an HTTP request, such as a message of a gateway, unless the handler is public. */
@Injectable()
export class NonHttpGuard implements CanActivate {
  constructor(private readonly routes: Routes) {}

  canActivate(context: ExecutionContext): true {
    if (context.getType() === 'http') return true;
    const route = this.routes.of(context);
    if (!route.isPublic) throw new ForbiddenException(unprotected(route));
    return true;
  }
}

const unprotected = (route: Route) =>
  `No HTTP request calls ${nameOfHandler(route)}, so that it has no API key: put @Public() on it if it needs none.`;
