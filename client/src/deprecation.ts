import type { ApiResponse } from './response.js';
import { linked } from './links.js';

/** The deprecation of an operation, as the service announces it. */
export interface Deprecation {
  /**
   * The operation's name in the OpenAPI document, such as `getPet`. For `client.get` and the like, a text such as
   * `GET /pets/{id}`.
   */
  readonly operation: string;
  /** The date since when the operation is deprecated. */
  readonly deprecation: Date;
  /** The date when the operation ends, if the service announces it. */
  readonly sunset: Date | undefined;
  /** The URL of the replacement. */
  readonly successor: string | undefined;
  /** The URL of the explanation. */
  readonly link: string | undefined;
}

/** Reads `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and their links. Undefined if the response has no `Deprecation`. */
export function deprecationIn(response: ApiResponse, operation: string): Deprecation | undefined {
  const [, seconds] = /^@(-?\d+)/.exec(response.headers.get('deprecation') ?? '') ?? [];
  if (seconds === undefined) return undefined;
  const sunset = new Date(response.headers.get('sunset') ?? Number.NaN);
  return {
    operation,
    deprecation: new Date(Number(seconds) * 1_000),
    sunset: Number.isNaN(sunset.getTime()) ? undefined : sunset,
    successor: linked(response, 'successor-version')?.href,
    link: linked(response, 'deprecation')?.href,
  };
}
