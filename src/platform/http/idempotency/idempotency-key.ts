import type { Request } from 'express';
import { ApiException } from '../errors/api-exception.js';
import { countOf } from '../server/request-line.js';

/** 1 to 255 visible ASCII characters, or the same as a structured-field string (RFC 8941 section 3.3.3). */
const KEY = /^[\x21-\x7e]{1,255}$/;
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** The `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), quoted or bare. @throws ApiException 400 */
export function idempotencyKeyOf({ headers, rawHeaders }: Request): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  const text = typeof given === 'string' ? given : '';
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (countOf('idempotency-key', rawHeaders) === 1 && key !== undefined && KEY.test(key)) return key;
  throw new ApiException(
    'invalid_idempotency_key',
    'The Idempotency-Key must come once and have 1 to 255 visible ASCII characters; a UUID will do.',
  );
}
