import type { ApiResponse } from './response.js';
import { linked } from './links.js';

/** What the service says of an operation that is going to end. */
export interface Deprecation {
  /** Its name in the OpenAPI document: `getPet`. Of `client.get` and the like `GET /pets/{id}`. */
  readonly operation: string;
  /** Since when it should not be used any more. */
  readonly deprecation: Date;
  /** When it ends, if that is told. */
  readonly sunset: Date | undefined;
  /** The address of what replaces it. */
  readonly successor: string | undefined;
  /** The address of the explanation. */
  readonly link: string | undefined;
}

/** Reads `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and their links. Undefined if the answer has no `Deprecation`. */
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
