import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DeprecationInterceptor } from './deprecation/deprecated.decorator.js';
import { DEPRECATION, type Deprecation } from './deprecation/deprecation.js';
import { STABILITY, type StabilityLevel } from './route.decorators.js';

/**
 * Writes the headers that stand on all answers of a route: how stable it is, and that it is deprecated. It rejects nothing, and is
 * the first of all guards, so that what others reject, before any interceptor runs, says it too.
 */
@Injectable()
export class RouteHeadersGuard implements CanActivate {
  constructor(private readonly deprecations: DeprecationInterceptor) {}

  canActivate(context: ExecutionContext): true {
    const handler = context.getHandler();
    const level = Reflect.getMetadata(STABILITY, handler) as StabilityLevel | undefined;
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    const response = context.switchToHttp().getResponse<Response>();
    if (level) response.setHeader('Stability', level);
    if (deprecation) this.deprecations.setHeaders(response, deprecation);
    return true;
  }
}
