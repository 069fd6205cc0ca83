import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExecutionContext,
  Injectable,
  mixin,
  type NestInterceptor,
  SetMetadata,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { ErrorFilter } from '../errors/error.filter.js';
import { FaultLog } from '../errors/fault-log.js';
import { link, Links } from '../links.js';
import { ApiErrors } from '../route.decorators.js';
import { DEPRECATION, type Deprecation, type Successor } from './deprecation.js';

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
    // At once: if the answer takes too long, the error that is sent in its place has them as well.
    this.setHeaders(response, deprecation);
    const setLink = (answer: unknown) => {
      response.setHeader('Link', this.#linkTo(deprecation.successor(answer)));
    };
    return next.handle().pipe(tap(setLink));
  }

  /** The headers of every answer, whose `Link` leads to the successor in general. */
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
 * The error filter of one deprecated operation: its headers stand on errors too, also on those of guards, which run before
 * any interceptor. A class for each operation, because Nest does not tell a filter which handler it answers for.
 */
function deprecationFilter(deprecation: Deprecation) {
  @Catch()
  class DeprecationFilter extends ErrorFilter {
    constructor(
      private readonly deprecations: DeprecationInterceptor,
      faults: FaultLog,
    ) {
      super(faults);
    }

    override catch(error: unknown, host: ArgumentsHost): void {
      const response = host.switchToHttp().getResponse<Response>();
      if (!response.headersSent) this.deprecations.setHeaders(response, deprecation);
      super.catch(error, host);
    }
  }
  return mixin(DeprecationFilter);
}
