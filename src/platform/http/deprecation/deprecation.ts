import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../config/settings.js';
import { type BaseAddress, link, Links } from '../links.js';

/** How an operation ends. Days are in UTC and begin at midnight. */
export interface Deprecation {
  /** `YYYY-MM-DD`: deprecated from this day on. */
  readonly since: string;
  /** `YYYY-MM-DD`: removed from this day on. */
  readonly sunset: string;
  /**
   * The operation that replaces it, as a path below the base address, or of another version, such as `/v2/pets`; `answer` is the
   * operation's answer, if there is one.
   */
  readonly successor: (answer?: unknown) => Successor;
}

interface Successor {
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

const DAY_MS = 86_400_000;
const WARNING_DAYS = 90;

/** The headers of all answers of a deprecated operation, as long as its base address stays the same. */
interface Notice {
  readonly base: BaseAddress;
  /** RFC 9745 section 2.1: a structured-field date. */
  readonly since: string;
  /** RFC 8594 section 3: an HTTP date. */
  readonly sunset: string;
  /** To its successor in general, and to the page about deprecations. */
  readonly links: string;
  /** Those to the page alone. */
  readonly pages: string;
}

/** Decides which deprecated operations have been removed, and gives notice of their end. */
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
      links: `${toSuccessor(deprecation, base)}, ${pages}`,
      pages,
    };
    this.#notices.set(deprecation, notice);
    return notice;
  }

  /** Makes `Link` lead to what succeeds this very answer, behind the handler's own links, such as those of a page. */
  setSuccessor(deprecation: Deprecation, response: Response, answer?: unknown): void {
    const { base, links, pages } = this.#noticeOf(deprecation, response);
    const own = [response.getHeader('Link')].flat().filter((link) => link !== links);
    response.setHeader('Link', [...own, toSuccessor(deprecation, base, answer), pages].join(', '));
  }

  /** Logs which of these operations end soon or have ended. */
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

function toSuccessor({ successor }: Deprecation, base: BaseAddress, answer?: unknown): string {
  const { path, parameters } = successor(answer);
  return link(base.to(path, parameters), 'successor-version');
}
