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
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { ApiErrors, MARKS } from '../route.decorators.js';
import { routeOf } from '../routes.js';
import { type Deprecation, Deprecations } from './deprecation.js';

/**
 * Marks an operation that will be removed: adds `Deprecation`, `Sunset` and `Link` to all its answers, 410 after its removal,
 * and both to the document.
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

/** Leads from each answer to what succeeds it. Only on deprecated routes: an interceptor costs a quarter of the requests. */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  constructor(private readonly deprecations: Deprecations) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { deprecation } = routeOf(http.getRequest<Request>())!;
    const response = http.getResponse<Response>();
    const lead = (answer?: unknown) => {
      // The handler may have sent the answer itself.
      if (!response.headersSent) this.deprecations.setSuccessor(deprecation!, response, answer);
    };
    return next.handle().pipe(tap({ next: lead, error: () => lead() }));
  }
}
