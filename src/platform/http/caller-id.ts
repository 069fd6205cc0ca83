import type { Request } from 'express';

const CALLER = Symbol('caller');

type Introduced = Request & { [CALLER]?: string };

/** Notes on the request who makes it: an id that stays the same from request to request. */
export function setCallerId(request: Request, id: string): void {
  (request as Introduced)[CALLER] = id;
}

/** Who makes the request; undefined where nobody was asked. */
export function callerId(request: Request): string | undefined {
  return (request as Introduced)[CALLER];
}
