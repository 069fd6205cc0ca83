import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { setCallerId, setPermissions } from '../../../platform/http/caller.js';
import { countHeader } from '../../../platform/http/server/request-line.js';
import type { ApiKey } from '../../domain/api-key.js';

const KEY = Symbol('key');

type Authenticated = Request & { [KEY]?: ApiKey };

/** Stores on the request the key that it was authenticated with. */
export function setApiKey(request: Request, key: ApiKey): void {
  (request as Authenticated)[KEY] = key;
  setCallerId(request, String(key.props.id));
  setPermissions(request, key);
}

/** The key of the request; undefined on routes that need none. */
export function apiKeyOf(request: Request): ApiKey | undefined {
  return (request as Authenticated)[KEY];
}

const BEARER = /^bearer +(.+)$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1), the scheme in any case (RFC 9110 section 11.1); undefined if
 * there is no such header or it has another scheme. For two such headers it is a text that no key has.
 */
export function bearerCredential({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  return token !== undefined && countHeader('authorization', rawHeaders) > 1 ? '' : token;
}
