import { ServerResponse } from 'node:http';
import express, { type Application } from 'express';
import { ApiRequest } from '../request.js';

/** The headers of every response. They are the headers of helmet that matter for an API, which browsers must never treat as a page. */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/**
 * Request and response classes with the prototypes that Express wants. Express sets the prototype of both objects for each request,
 * which makes V8 use slow properties. With these classes the prototype is set already, and Express changes nothing.
 * `pathPrefix` is the path that a proxy strips from requests.
 */
export function expressMessages(app: Application, pathPrefix: string) {
  class Request extends ApiRequest {}
  class Response extends ServerResponse {}
  const own = { app: { configurable: true, enumerable: true, writable: true, value: app } };
  const ofExpress = Object.getOwnPropertyDescriptors;
  Object.defineProperties(Request.prototype, { ...ofExpress(express.request), ...own });
  const prefixed = { ...own, pathPrefix: { value: pathPrefix } };
  Object.defineProperties(Response.prototype, { ...ofExpress(express.response), ...prefixed });
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
