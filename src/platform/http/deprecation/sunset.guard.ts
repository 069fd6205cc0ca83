import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { callerOf } from '../caller.js';
import { HttpRefusal } from '../errors/http-refusal.js';
import { DEPRECATION, type Deprecation, Sunsets } from './deprecation.js';
import { operationNameOf } from './operation-name.js';
import { UseCounter } from './use-counter.js';

/**
 * Counts who still uses an operation, and refuses one that has been removed; after the guards of all operations: a stranger
 * gets no more than a 401, and is not counted.
 */
@Injectable()
export class SunsetGuard implements CanActivate {
  constructor(
    private readonly sunsets: Sunsets,
    private readonly uses: UseCounter,
  ) {}

  canActivate(context: ExecutionContext): true {
    const handler = context.getHandler();
    const caller = callerOf(context.switchToHttp().getRequest<Request>());
    if (caller !== undefined) this.uses.note(operationNameOf(handler), caller);
    if (!this.sunsets.isGone(Reflect.getMetadata(DEPRECATION, handler) as Deprecation)) return true;
    throw new HttpRefusal(
      'operation_removed',
      'This operation has been removed. The Link with rel="successor-version" leads to what replaces it.',
    );
  }
}
