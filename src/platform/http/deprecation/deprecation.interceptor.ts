import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { HttpRefusal } from '../errors/http-refusal.js';
import { link, Links } from '../links.js';
import { DEPRECATION, type Deprecation, Sunsets } from './deprecation.js';

const EXPLANATION = '/docs/deprecations';

/**
 * Writes the notice on every answer of a deprecated operation. It stands at two doors because guards answer before any
 * interceptor runs, and their 401 carries the notice too.
 */
@Injectable()
export class DeprecationInterceptor implements CanActivate, NestInterceptor {
  constructor(
    private readonly sunsets: Sunsets,
    private readonly links: Links,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const deprecation = deprecationOf(context);
    if (deprecation) this.#announce(deprecation, context.switchToHttp().getResponse());
    return true;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const deprecation = deprecationOf(context)!;
    if (this.sunsets.isGone(deprecation)) {
      throw new HttpRefusal(
        'operation_removed',
        'This operation has been removed. The Link with rel="successor-version" leads to what replaces it.',
      );
    }
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(tap((answer: unknown) => this.#pointTo(deprecation, response, answer)));
  }

  #announce(deprecation: Deprecation, response: Response): void {
    // RFC 9745 section 2.1: a structured-field date. RFC 8594 section 3: an HTTP date.
    response.setHeader('Deprecation', `@${Date.parse(deprecation.since) / 1_000}`);
    response.setHeader('Sunset', new Date(deprecation.sunset).toUTCString());
    this.#pointTo(deprecation, response);
  }

  #pointTo(deprecation: Deprecation, response: Response, answer?: unknown): void {
    const { path, parameters } = deprecation.successor(answer);
    const links = [
      link(this.links.to(path, parameters), 'successor-version'),
      link(EXPLANATION, 'deprecation'),
      link(EXPLANATION, 'sunset'),
    ];
    response.setHeader('Link', links.join(', '));
  }
}

const deprecationOf = (context: ExecutionContext) =>
  Reflect.getMetadata(DEPRECATION, context.getHandler()) as Deprecation | undefined;
