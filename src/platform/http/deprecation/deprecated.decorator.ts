import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { type Observable, tap } from 'rxjs';
import { requestOf, routeOf } from '../request.js';
import { ApiErrors, MARKS } from '../routes/route.decorators.js';
import type { Deprecation } from './deprecation.js';
import { Deprecations } from './deprecations.js';

/**
 * Marks an operation that will be removed. Until its removal all its responses have `Deprecation`, `Sunset` and `Link`, and then they
 * are 410. The OpenAPI document describes both.
 */
export function Deprecated(deprecation: Deprecation): MethodDecorator {
  return applyDecorators(
    SetMetadata(MARKS.deprecation, deprecation),
    UseInterceptors(DeprecationInterceptor),
    ApiExtension('x-deprecated-since', deprecation.since),
    ApiExtension('x-deprecated-sunset', deprecation.sunset),
    ApiExtension('x-successor', deprecation.successor().path),
    ApiErrors('operation_removed'),
  );
}

/**
 * Adds to each response a link to the operation that replaces it. Only deprecated routes have this interceptor, because an interceptor
 * lowers the throughput by a quarter.
 */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  constructor(private readonly deprecations: Deprecations) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(context);
    const { deprecation } = routeOf(request)!;
    const response = request.res!;
    const addLink = (answer?: unknown) => {
      // The handler may have sent the response itself.
      if (!response.headersSent) this.deprecations.setSuccessor(deprecation!, response, answer);
    };
    return next.handle().pipe(tap({ next: addLink, error: () => addLink() }));
  }
}
