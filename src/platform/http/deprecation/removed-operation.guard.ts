import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiException } from '../errors/api-exception.js';
import { routeOf } from '../request.js';
import { Deprecations } from './deprecations.js';

/** Rejects requests to an operation that was removed. */
@Injectable()
export class RemovedOperationGuard implements CanActivate {
  constructor(private readonly deprecations: Deprecations) {}

  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const deprecation = routeOf(context.getArgByIndex<Request>(0))?.deprecation;
    if (deprecation && this.deprecations.isGone(deprecation)) throw new ApiException('operation_removed');
    return true;
  }
}
