import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { link, Links } from '../links.js';
import type { Deprecation, Successor } from './deprecation.js';

const EXPLANATION = '/docs/deprecations';
const EXPLAINED = ['deprecation', 'sunset'].map((relation) => link(EXPLANATION, relation)).join(', ');

/** Writes what the answers of a deprecated operation say of its end. */
@Injectable()
export class DeprecationHeaders {
  /** As many as there are deprecated operations. */
  readonly #written = new Map<Deprecation, readonly [name: string, value: string][]>();

  constructor(private readonly links: Links) {}

  /** What stands on every answer. The successor is the general one. */
  announce(response: Response, deprecation: Deprecation): void {
    let headers = this.#written.get(deprecation);
    if (!headers) this.#written.set(deprecation, (headers = this.#headersOf(deprecation)));
    for (const [name, value] of headers) response.setHeader(name, value);
  }

  /** Leads whoever got this answer to what replaces the operation for them. */
  refine(response: Response, deprecation: Deprecation, answer: unknown): void {
    response.setHeader('Link', this.#linkTo(deprecation.successor(answer)));
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
    return `${link(this.links.to(path, parameters), 'successor-version')}, ${EXPLAINED}`;
  }
}
