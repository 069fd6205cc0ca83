import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DeprecationInterceptor } from './deprecation/deprecated.decorator.js';
import { DEPRECATION, type Deprecation } from './deprecation/deprecation.js';
import { STABILITY, type StabilityLevel } from './route.decorators.js';

/**
 * Writes the headers of all answers of a route: its stability and its deprecation. As the first guard it also covers rejections
 * by other guards, before any interceptor runs. It rejects messages that do not come over HTTP: Nest calls global guards for
 * gateways and microservices as well, whose messages bring no API key.
 */
@Injectable()
export class RouteHeadersGuard implements CanActivate {
  constructor(private readonly deprecations: DeprecationInterceptor) {}

  canActivate(context: ExecutionContext): true {
    const handler = context.getHandler();
    if (context.getType() !== 'http') throw new OnlyHttpIsServed(context);
    const level = Reflect.getMetadata(STABILITY, handler) as StabilityLevel | undefined;
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    const response = context.switchToHttp().getResponse<Response>();
    if (level) response.setHeader('Stability', level);
    if (deprecation) this.deprecations.setHeaders(response, deprecation);
    return true;
  }
}

class OnlyHttpIsServed extends Error {
  constructor(context: ExecutionContext) {
    const name = `${context.getClass().name}.${context.getHandler().name}`;
    super(
      `${name} was called by ${context.getType()}, which has no API key here: only HTTP is served. ` +
        'Serve gateways by an application of their own, and connect microservices without inheritAppConfig.',
    );
  }
}
