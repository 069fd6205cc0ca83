import type { IncomingMessage } from 'node:http';
import { countOf } from '../../../platform/http/server/request-line.js';

const BEARER = /^bearer +(.+)$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), the scheme in any case (RFC 9110 section 11.1); undefined
 * where there is none or it has another scheme. Two such headers are not one credential: then it is a text no key has.
 */
export function bearerCredential({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && countOf('authorization', rawHeaders) > 1 ? '' : token;
}
