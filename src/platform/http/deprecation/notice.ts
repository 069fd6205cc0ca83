import { link, type Links } from '../links.js';
import type { Deprecation, Successor } from './deprecation.js';

const EXPLANATION = '/docs/deprecations';
const EXPLAINED = ['deprecation', 'sunset'].map((relation) => link(EXPLANATION, relation)).join(', ');

/** What the answers of a deprecated operation say of its end, as far as it is the same on all. */
export class Notice {
  /** RFC 9745 section 2.1: a structured-field date. */
  readonly deprecation: string;
  /** RFC 8594 section 3: an HTTP date. */
  readonly sunset: string;
  /** `Link` as long as nothing better than the general successor is known. */
  readonly link: string;

  constructor(
    private readonly operation: Deprecation,
    private readonly links: Links,
  ) {
    this.deprecation = `@${Date.parse(operation.since) / 1_000}`;
    this.sunset = new Date(operation.sunset).toUTCString();
    this.link = this.#linkTo(operation.successor());
  }

  /** `Link` to what replaces the operation for who got this answer. */
  linkAfter(answer: unknown): string {
    return this.#linkTo(this.operation.successor(answer));
  }

  #linkTo({ path, parameters }: Successor): string {
    return `${link(this.links.to(path, parameters), 'successor-version')}, ${EXPLAINED}`;
  }
}
