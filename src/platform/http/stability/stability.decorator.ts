import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** How far clients may rely on an operation: `experimental` ones may change or go without notice, `beta` ones with notice. */
export type StabilityLevel = 'experimental' | 'beta';

/** The metadata of a handler that is not stable yet. */
export const STABILITY = Symbol('stability');

/** Marks an operation that is not stable yet: `Stability` on all its answers, and `x-stability` in the document. */
export function Stability(level: StabilityLevel): MethodDecorator {
  return applyDecorators(SetMetadata(STABILITY, level), ApiExtension('x-stability', level));
}
