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

/** Writes `Deprecation`, `Sunset` and `Link`. Only deprecated routes have it: an interceptor costs a quarter of the requests. */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  /** One entry for each deprecated operation: what stands on all its answers, for all the time that the service runs. */
  readonly #dates = new Map<Deprecation, readonly [since: string, sunset: string]>();

  constructor(
    private readonly reflector: Reflector,
    private readonly links: Links,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const deprecation = this.reflector.get<Deprecation>(DEPRECATION, context.getHandler());
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap((answer) => this.#setLink(response, deprecation.successor(answer))));
  }

  /** The headers of every answer, errors too, as `RouteHeadersGuard` writes them: `Link` leads to the successor in general. */
  setHeaders(response: Response, deprecation: Deprecation): void {
    let dates = this.#dates.get(deprecation);
    if (!dates) this.#dates.set(deprecation, (dates = datesOf(deprecation)));
    const [since, sunset] = dates;
    response.setHeader('Deprecation', since);
    response.setHeader('Sunset', sunset);
    this.#setLink(response, deprecation.successor());
  }

  #setLink(response: Response, { path, parameters }: Successor): void {
    const base = this.links.of(response.req);
    const page = base.beside('/docs/deprecations');
    const links = [
      link(base.to(path, parameters), 'successor-version'),
      link(page, 'deprecation'),
      link(page, 'sunset'),
    ];
    response.setHeader('Link', links.join(', '));
  }
}

/** RFC 9745 section 2.1: a structured-field date. RFC 8594 section 3: an HTTP date. */
const datesOf = ({ since, sunset }: Deprecation) =>
  [`@${Date.parse(since) / 1_000}`, new Date(sunset).toUTCString()] as const;

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
