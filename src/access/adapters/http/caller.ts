import type { Request } from 'express';
import type { ApiKey } from '../../domain/api-key.js';

const CALLER = Symbol('caller');

type Introduced = Request & { [CALLER]?: ApiKey };

/** Notes on the request who makes it. */
export function introduce(request: Request, key: ApiKey): void {
  (request as Introduced)[CALLER] = key;
}

/** The key that the request came with; undefined where none is asked for. */
export function callerOf(request: Request): ApiKey | undefined {
  return (request as Introduced)[CALLER];
}
