import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { callerId } from '../caller-id.js';
import { ApiException } from '../errors/api-exception.js';
import { DEPRECATION, type Deprecation, DeprecationPolicy } from './deprecation.js';
import { operationNameOf } from './deprecated-operations.js';
import { UsageRecorder } from './usage-recorder.js';

/**
 * Counts who still uses a deprecated operation, and refuses one that has been removed. It stands between the rate and the
 * body: a stranger gets no more than a 401 and is not counted, and no body is read for what is gone.
 */
@Injectable()
export class SunsetGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly policy: DeprecationPolicy,
    private readonly usage: UsageRecorder,
  ) {}

  canActivate(context: ExecutionContext): true {
    const handler = context.getHandler();
    const deprecation = this.reflector.get<Deprecation | undefined>(DEPRECATION, handler);
    if (!deprecation) return true;
    const caller = callerId(context.switchToHttp().getRequest<Request>());
    if (caller !== undefined) this.usage.count(operationNameOf(handler), caller);
    if (!this.policy.isGone(deprecation)) return true;
    throw new ApiException(
      'operation_removed',
      'This operation has been removed. The Link with rel="successor-version" leads to what replaces it.',
    );
  }
}
