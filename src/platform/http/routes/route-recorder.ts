import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
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
    const response = context.getArgByIndex<Response>(1);
    factsOf(requestOf(context)).route = route;
    if (route.stability) response.setHeader('Stability', route.stability);
    if (route.deprecation) this.deprecations.announce(route.deprecation, response);
    return true;
  }
}
