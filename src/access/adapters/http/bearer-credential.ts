import type { IncomingMessage } from 'node:http';

const BEARER = /^bearer +(.+)$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), the scheme in any case (RFC 9110 section 11.1); undefined
 * where there is none or it has another scheme. Two such headers are not one credential: then it is a text no key has.
 */
export function bearerCredential({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && isRepeated(rawHeaders) ? '' : token;
}

/** Node keeps only the first of several `Authorization` headers. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1;
  }
  return count > 1;
}
