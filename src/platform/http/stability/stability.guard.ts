import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { STABILITY, type StabilityLevel } from './stability.decorator.js';

/** Writes how stable an operation is, first of all guards, so that it stands on refusals too. It lets everybody pass. */
@Injectable()
export class StabilityGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const level = Reflect.getMetadata(STABILITY, context.getHandler()) as StabilityLevel | undefined;
    if (level) context.switchToHttp().getResponse<Response>().setHeader('Stability', level);
    return true;
  }
}
