import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Application } from 'express';

/** The headers of every response. They are the headers of helmet that matter for an API, which browsers must never treat as a page. */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** A response that begins with the security headers. */
export class ApiResponse extends ServerResponse {
  /** The time when work on its request began, in ms of `performance.now()`. Until then, the time when the request arrived. */
  begunAt = performance.now();

  /** This is not in the constructor, because many requests of a connection may wait for their turn, and headers take memory. */
  begin(): void {
    this.begunAt = performance.now();
    for (const [name, value] of SECURITY_HEADERS) this.setHeader(name, value);
  }
}

/**
 * Request and response classes with the prototypes that Express wants. Express sets the prototype of both objects for each request,
 * and V8 uses slow properties after such a change. With these classes nothing changes. `pathPrefix` is the path that a proxy strips
 * from requests.
 */
export function expressMessages(app: Application, pathPrefix: string) {
  class Request extends IncomingMessage {}
  class Response extends ApiResponse {}
  const own = { app: { configurable: true, enumerable: true, writable: true, value: app } };
  const ofExpress = Object.getOwnPropertyDescriptors;
  Object.defineProperties(Request.prototype, { ...ofExpress(express.request), ...own });
  const prefixed = { ...own, pathPrefix: { value: pathPrefix } };
  Object.defineProperties(Response.prototype, { ...ofExpress(express.response), ...prefixed });
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
