import type { Request } from 'express';
import { introduce } from '../../../platform/http/caller.js';
import type { ApiKey } from '../../domain/api-key.js';

const KEY = Symbol('key');

type Admitted = Request & { [KEY]?: ApiKey };

/** Notes on the request with which key it was let in. */
export function admit(request: Request, key: ApiKey): void {
  (request as Admitted)[KEY] = key;
  introduce(request, String(key.facts.id));
}

/** The key that the request came with; undefined where none is asked for. */
export function keyOf(request: Request): ApiKey | undefined {
  return (request as Admitted)[KEY];
}
