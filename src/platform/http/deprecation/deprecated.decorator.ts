import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { link, Links } from '../links.js';
import { ApiErrors } from '../route.decorators.js';
import {
  DEPRECATION,
  type Deprecation,
  DeprecationPolicy,
  operationNameOf,
  type Successor,
} from './deprecation.js';
import { callerId } from '../caller.js';
import { ApiException } from '../errors/api-exception.js';
import { UsageRecorder } from './daily-usage.js';

/**
 * Marks an operation that will be removed: `Deprecation`, `Sunset` and `Link` on all its answers, 410 once it is gone, and
 * the same in the document.
 */
export function Deprecated(deprecation: Deprecation): MethodDecorator {
  return applyDecorators(
    SetMetadata(DEPRECATION, deprecation),
    UseInterceptors(DeprecationInterceptor),
    ApiExtension('x-deprecated-sunset', deprecation.sunset),
    ApiErrors('operation_removed'),
  );
}

const EXPLANATION = ['deprecation', 'sunset']
  .map((relation) => link('/docs/deprecations', relation))
  .join(', ');

/** Adds `Deprecation`, `Sunset` and `Link`. Only deprecated routes have it: an interceptor costs a quarter of the requests. */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  /** One entry for each deprecated operation. */
  readonly #headers = new Map<Deprecation, readonly [name: string, value: string][]>();

  constructor(
    private readonly reflector: Reflector,
    private readonly links: Links,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const deprecation = this.reflector.get<Deprecation>(DEPRECATION, context.getHandler());
    const response = context.switchToHttp().getResponse<Response>();
    this.setHeaders(response, deprecation);
    const setLink = (answer: unknown) => {
      response.setHeader('Link', this.#linkTo(deprecation.successor(answer)));
    };
    return next.handle().pipe(tap(setLink));
  }

  /** The headers of every answer, whose `Link` leads to the successor in general. `RouteHeadersGuard` has errors carry them too. */
  setHeaders(response: Response, deprecation: Deprecation): void {
    let headers = this.#headers.get(deprecation);
    if (!headers) this.#headers.set(deprecation, (headers = this.#headersOf(deprecation)));
    for (const [name, value] of headers) response.setHeader(name, value);
  }

  #headersOf({ since, sunset, successor }: Deprecation): [name: string, value: string][] {
    return [
      // RFC 9745 section 2.1: a structured-field date. RFC 8594 section 3: an HTTP date.
      ['Deprecation', `@${Date.parse(since) / 1_000}`],
      ['Sunset', new Date(sunset).toUTCString()],
      ['Link', this.#linkTo(successor())],
    ];
  }

  #linkTo({ path, parameters }: Successor): string {
    return `${link(this.links.to(path, parameters), 'successor-version')}, ${EXPLANATION}`;
  }
}

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
