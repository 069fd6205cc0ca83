import type { Request } from 'express';

const CALLER_ID = Symbol('caller id');

type WithCaller = Request & { [CALLER_ID]?: string };

/** Notes on the request who makes it: an id that stays the same from request to request. */
export function setCallerId(request: Request, id: string): void {
  (request as WithCaller)[CALLER_ID] = id;
}

/** Who makes the request; undefined on public routes. */
export function callerId(request: Request): string | undefined {
  return (request as WithCaller)[CALLER_ID];
}

/** What the platform wants to know of callers besides their ids. The module that knows them provides it. */
export abstract class CallerNames {
  /** The names of all callers, by the id of `callerId`. */
  abstract all(): Promise<ReadonlyMap<string, string>>;
}
