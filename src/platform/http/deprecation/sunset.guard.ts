import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpRefusal } from '../errors/http-refusal.js';
import { DEPRECATION, type Deprecation, Sunsets } from './deprecation.js';

/** Refuses an operation that has been removed, after the guards of all operations: a stranger gets no more than a 401. */
@Injectable()
export class SunsetGuard implements CanActivate {
  constructor(private readonly sunsets: Sunsets) {}

  canActivate(context: ExecutionContext): true {
    if (!this.sunsets.isGone(Reflect.getMetadata(DEPRECATION, context.getHandler()) as Deprecation))
      return true;
    throw new HttpRefusal(
      'operation_removed',
      'This operation has been removed. The Link with rel="successor-version" leads to what replaces it.',
    );
  }
}
