import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { toWholePath } from '../../config/base-path.js';
import { Settings } from '../../config/settings.js';
import { type BaseAddress, link } from '../base-address.js';
import { Links } from '../links.js';
import type { Deprecation } from './deprecation.js';

const DAY_MS = 86_400_000;
const WARNING_DAYS = 90;

/** The headers of all responses of a deprecated operation. They depend only on the base URL. */
interface Notice {
  readonly base: BaseAddress;
  /** A structured-field date (RFC 9745 section 2.1). */
  readonly since: string;
  /** An HTTP date (RFC 8594 section 3). */
  readonly sunset: string;
  /** Links to the successor in general, and to the page about deprecations. */
  readonly links: string;
  /** Only the links to the page. */
  readonly pages: string;
}

/** Decides which deprecated operations have been removed, and announces the removal in headers and in the log. */
@Injectable()
export class Deprecations {
  readonly #notices = new Map<Deprecation, Notice>();

  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly links: Links,
  ) {}

  isGone({ sunset }: Deprecation): boolean {
    const { deprecatedOperations: mode } = this.settings;
    return mode === 'auto' ? this.clock.now() >= Date.parse(sunset) : mode === 'gone';
  }

  /** Sets `Deprecation`, `Sunset`, and a `Link` to the successor in general. */
  announce(deprecation: Deprecation, response: Response): void {
    const { since, sunset, links } = this.#noticeOf(deprecation, response);
    response.setHeader('Deprecation', since);
    response.setHeader('Sunset', sunset);
    response.setHeader('Link', links);
  }

  #noticeOf(deprecation: Deprecation, response: Response): Notice {
    const base = this.links.of(response.req);
    const known = this.#notices.get(deprecation);
    if (known?.base.text === base.text) return known;
    const page = base.beside('/docs/deprecations');
    const pages = `${link(page, 'deprecation')}, ${link(page, 'sunset')}`;
    const notice = {
      base,
      since: `@${Date.parse(deprecation.since) / 1_000}`,
      sunset: new Date(deprecation.sunset).toUTCString(),
      links: `${successorLink(deprecation, base)}, ${pages}`,
      pages,
    };
    this.#notices.set(deprecation, notice);
    return notice;
  }

  /**
   * Replaces the `Link` to the successor in general by a link to the successor of this response. The links of the handler, such as the
   * links of a page, come first.
   */
  setSuccessor(deprecation: Deprecation, response: Response, answer?: unknown): void {
    const { base, links, pages } = this.#noticeOf(deprecation, response);
    const own = [response.getHeader('Link')].flat().filter((link) => link !== links);
    response.setHeader('Link', [...own, successorLink(deprecation, base, answer), pages].join(', '));
  }

  /** Logs which of these operations are removed soon, or have been removed. */
  warn(
    operations: readonly { readonly operation: string; readonly deprecation: Deprecation | undefined }[],
  ): void {
    const log = new Logger('Deprecation');
    for (const { operation, deprecation } of operations) {
      if (!deprecation) continue;
      const daysLeft = Math.floor((Date.parse(deprecation.sunset) - this.clock.now()) / DAY_MS);
      if (this.isGone(deprecation)) log.warn(`${operation} is gone: it answers 410`);
      else if (daysLeft < 0) log.warn(`${operation} is past its removal date and still served`);
      else if (daysLeft < WARNING_DAYS) log.warn(`${operation} is due to be removed in ${daysLeft} days`);
    }
  }
}

function successorLink({ successor }: Deprecation, base: BaseAddress, answer?: unknown): string {
  const { path, parameters } = successor(answer);
  return link(base.beside(toWholePath(path), parameters), 'successor-version');
}
