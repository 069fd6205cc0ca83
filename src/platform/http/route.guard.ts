import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Deprecations } from './deprecation/deprecation.js';
import { Routes, setRoute } from './routes.js';

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
