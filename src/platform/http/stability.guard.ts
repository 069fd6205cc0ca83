import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { STABILITY, type StabilityLevel } from './route.decorators.js';

/** Writes how stable an operation is. It is the first of all guards, so that errors say it too, and rejects nothing. */
@Injectable()
export class StabilityGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const level = Reflect.getMetadata(STABILITY, context.getHandler()) as StabilityLevel | undefined;
    if (level) context.switchToHttp().getResponse<Response>().setHeader('Stability', level);
    return true;
  }
}
