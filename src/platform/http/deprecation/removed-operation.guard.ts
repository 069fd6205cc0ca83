import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiException } from '../errors/api-exception.js';
import { requestOf, routeOf } from '../request.js';
import { Deprecations } from './deprecations.js';

/** Rejects requests to an operation that was removed. */
@Injectable()
export class RemovedOperationGuard implements CanActivate {
  constructor(private readonly deprecations: Deprecations) {}

  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const deprecation = routeOf(requestOf(context))?.deprecation;
    if (deprecation && this.deprecations.isGone(deprecation)) throw new ApiException('operation_removed');
    return true;
  }
}
