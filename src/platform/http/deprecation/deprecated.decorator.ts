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
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { type BaseAddress, link, Links } from '../links.js';
import { factsOf } from '../route-facts.js';
import { ApiErrors } from '../route.decorators.js';
import { DEPRECATION, type Deprecation, type Successor } from './deprecation.js';

/**
 * Marks an operation that will be removed: adds `Deprecation`, `Sunset` and `Link` to all its answers, 410 after its removal,
 * and both to the document.
 */
export function Deprecated(deprecation: Deprecation): MethodDecorator {
  return applyDecorators(
    SetMetadata(DEPRECATION, deprecation),
    UseInterceptors(DeprecationInterceptor),
    ApiExtension('x-deprecated-since', deprecation.since),
    ApiExtension('x-deprecated-sunset', deprecation.sunset),
    ApiExtension('x-successor', deprecation.successor().path),
    ApiErrors('operation_removed'),
  );
}

/** The headers of all answers of a deprecated operation, as long as its base address stays the same. */
interface Notice {
  /** RFC 9745 section 2.1: a structured-field date. */
  readonly since: string;
  /** RFC 8594 section 3: an HTTP date. */
  readonly sunset: string;
  readonly base: BaseAddress;
  /** Links to the page about deprecations. */
  readonly about: string;
  /** These, and the one to the successor in general. */
  readonly links: string;
}

/** Writes `Deprecation`, `Sunset` and `Link`. Only on deprecated routes: an interceptor costs a quarter of the requests. */
@Injectable()
export class DeprecationInterceptor implements NestInterceptor {
  /** One entry for each deprecated operation. */
  readonly #notices = new Map<Deprecation, Notice>();

  constructor(private readonly links: Links) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const deprecation = factsOf(context).deprecation!;
    const response = context.switchToHttp().getResponse<Response>();
    this.setHeaders(response, deprecation);
    const setLink = (answer?: unknown) => this.#setLink(response, deprecation, answer);
    return next.handle().pipe(tap({ next: setLink, error: () => setLink() }));
  }

  /** Sets the headers of every answer; `Link`, if there is none yet, leads to the successor in general. */
  setHeaders(response: Response, deprecation: Deprecation): void {
    const { since, sunset, links } = this.#noticeOf(deprecation, response);
    response.setHeader('Deprecation', since);
    response.setHeader('Sunset', sunset);
    if (!response.hasHeader('Link')) response.setHeader('Link', links);
  }

  /** Adds the link to the successor of this answer behind the handler's own links, such as those of a page. */
  #setLink(response: Response, deprecation: Deprecation, answer?: unknown): void {
    // The handler may have sent the answer itself.
    if (response.headersSent) return;
    const { base, about, links } = this.#noticeOf(deprecation, response);
    const successor = `${linkTo(deprecation.successor(answer), base)}, ${about}`;
    const own = [response.getHeader('Link')].flat().filter((link) => link !== links);
    response.setHeader('Link', own.length === 0 ? successor : [...own, successor].join(', '));
  }

  #noticeOf(deprecation: Deprecation, { req: request }: Response): Notice {
    const base = this.links.of(request);
    const known = this.#notices.get(deprecation);
    if (known?.base.text === base.text) return known;
    const page = base.beside('/docs/deprecations');
    const about = `${link(page, 'deprecation')}, ${link(page, 'sunset')}`;
    const notice = {
      since: `@${Date.parse(deprecation.since) / 1_000}`,
      sunset: new Date(deprecation.sunset).toUTCString(),
      base,
      about,
      links: `${linkTo(deprecation.successor(), base)}, ${about}`,
    };
    this.#notices.set(deprecation, notice);
    return notice;
  }
}

const linkTo = ({ path, parameters }: Successor, base: BaseAddress): string =>
  link(base.to(path, parameters), 'successor-version');
