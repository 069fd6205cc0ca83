import type { Request } from 'express';
import { introduce } from '../../../platform/http/caller.js';
import type { ApiKey } from '../../domain/api-key.js';

const KEY = Symbol('key');

type Authenticated = Request & { [KEY]?: ApiKey };

/** Stores on the request the key that it was authenticated with. */
export function setApiKey(request: Request, key: ApiKey): void {
  (request as Authenticated)[KEY] = key;
  introduce(request, String(key.props.id));
}

/** The key of the request; undefined where none is asked for. */
export function apiKeyOf(request: Request): ApiKey | undefined {
  return (request as Authenticated)[KEY];
}
