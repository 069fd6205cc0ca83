import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Deprecations } from '../deprecation/deprecations.js';
import { factsOf, requestOf } from '../request.js';
import { Routes } from './routes.js';

/** Records the route of each request, and sets the headers that all responses of the route have, errors included. */
@Injectable()
export class RouteRecorder implements CanActivate {
  constructor(
    private readonly routes: Routes,
    private readonly deprecations: Deprecations,
  ) {}

  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const route = this.routes.of(context);
    const request = requestOf(context);
    factsOf(request).route = route;
    if (route.stability) request.res!.setHeader('Stability', route.stability);
    if (route.deprecation) this.deprecations.announce(route.deprecation, request.res!);
    return true;
  }
}
