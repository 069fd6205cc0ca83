import { link, type Links } from '../links.js';
import type { LeanResponse, Remark } from '../server/lean-response.js';
import type { Deprecation, Successor } from './deprecation.js';

const EXPLANATION = '/docs/deprecations';
const EXPLAINED = ['deprecation', 'sunset'].map((relation) => link(EXPLANATION, relation)).join(', ');

/** What the answers of a deprecated operation say of its end. */
export class Notice implements Remark {
  /** RFC 9745 section 2.1: a structured-field date. */
  readonly #deprecation: string;
  /** RFC 8594 section 3: an HTTP date. */
  readonly #sunset: string;
  /** `Link` as long as nothing better than the general successor is known. */
  readonly #link: string;

  constructor(
    private readonly operation: Deprecation,
    private readonly links: Links,
  ) {
    this.#deprecation = `@${Date.parse(operation.since) / 1_000}`;
    this.#sunset = new Date(operation.sunset).toUTCString();
    this.#link = this.#linkTo(operation.successor());
  }

  writeOn(response: LeanResponse): void {
    response.setHeader('Deprecation', this.#deprecation);
    response.setHeader('Sunset', this.#sunset);
    response.setHeader('Link', this.#link);
    response.remark = this;
  }

  /** Who got this answer is led to what replaces the operation for them. */
  addTo(response: LeanResponse, answer: unknown): void {
    response.setHeader('Link', this.#linkTo(this.operation.successor(answer)));
  }

  #linkTo({ path, parameters }: Successor): string {
    return `${link(this.links.to(path, parameters), 'successor-version')}, ${EXPLAINED}`;
  }
}
