import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { callerId } from '../caller.js';
import { ApiException } from '../errors/api-exception.js';
import { DEPRECATION, type Deprecation, DeprecationPolicy, operationNameOf } from './deprecation.js';
import { UsageRecorder } from './usage-recorder.js';

/**
 * Counts the use of a deprecated operation, and rejects requests to one that is removed. It stands between the rate and the
 * body: a client without a key gets a 401 and is not counted, and no body is read for a removed operation.
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
