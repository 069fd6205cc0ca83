import { applyDecorators, SetMetadata, UseFilters, UseInterceptors } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { ApiErrors } from '../document/api-errors.decorator.js';
import { DEPRECATION, type Deprecation } from './deprecation.js';
import { deprecationFilter } from './deprecation.filter.js';
import { DeprecationInterceptor } from './deprecation.interceptor.js';

/**
 * Marks an operation that will be removed: `Deprecation`, `Sunset` and `Link` on all its answers, 410 once it is gone, and
 * the same in the document.
 */
export function Deprecated(deprecation: Deprecation): MethodDecorator {
  return applyDecorators(
    SetMetadata(DEPRECATION, deprecation),
    UseInterceptors(DeprecationInterceptor),
    UseFilters(deprecationFilter(deprecation)),
    ApiExtension('x-deprecated-sunset', deprecation.sunset),
    ApiErrors('operation_removed'),
  );
}
