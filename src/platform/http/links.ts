import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';

/** Writes addresses and `Link` headers (RFC 8288). They never depend on a Host header, which anybody can set. */
@Injectable()
export class Links {
  readonly #base: string;

  constructor(settings: Settings) {
    this.#base = settings.baseUrl ?? '/v1';
  }

  /** The address of an operation: absolute if `BASE_URL` is set, else path-absolute. Parameters without a value are left out. */
  to(path: string, parameters?: Readonly<Record<string, string | number | undefined>>): string {
    if (!parameters) return this.#base + path;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, String(value));
    }
    return `${this.#base}${path}${query.size > 0 ? `?${query}` : ''}`;
  }
}

/** One link of a `Link` header. */
export const link = (address: string, relation: string): string => `<${address}>; rel="${relation}"`;
