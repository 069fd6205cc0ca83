import type { Request } from 'express';

const CALLER_ID = Symbol('caller id');

type WithCaller = Request & { [CALLER_ID]?: string };

/** Stores on the request who makes it, as an id that stays the same for all requests of a caller. */
export function setCallerId(request: Request, id: string): void {
  (request as WithCaller)[CALLER_ID] = id;
}

/** The id of the caller; undefined on public routes. */
export function callerId(request: Request): string | undefined {
  return (request as WithCaller)[CALLER_ID];
}
