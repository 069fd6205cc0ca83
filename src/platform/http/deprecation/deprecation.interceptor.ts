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
import { Links } from '../links.js';
import { DEPRECATION, type Deprecation, Sunsets } from './deprecation.js';
import { Notice } from './notice.js';

/**
 * Writes the notice on every answer of a deprecated operation. It stands at two doors because guards answer before any
 * interceptor runs, and their 401 carries the notice too.
 */
@Injectable()
export class DeprecationInterceptor implements CanActivate, NestInterceptor {
  readonly #notices = new Map<Deprecation, Notice>();

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
    const notice = this.#noticeOf(deprecation);
    return next.handle().pipe(tap((answer: unknown) => response.setHeader('Link', notice.linkAfter(answer))));
  }

  #announce(deprecation: Deprecation, response: Response): void {
    const notice = this.#noticeOf(deprecation);
    response.setHeader('Deprecation', notice.deprecation);
    response.setHeader('Sunset', notice.sunset);
    response.setHeader('Link', notice.link);
  }

  #noticeOf(deprecation: Deprecation): Notice {
    let notice = this.#notices.get(deprecation);
    if (!notice) this.#notices.set(deprecation, (notice = new Notice(deprecation, this.links)));
    return notice;
  }
}

const deprecationOf = (context: ExecutionContext) =>
  Reflect.getMetadata(DEPRECATION, context.getHandler()) as Deprecation | undefined;
