import { IncomingMessage } from 'node:http';
import express, { type Application } from 'express';
import { PreemptibleResponse } from './preemptible-response.js';

/**
 * Request and response classes with the prototypes that Express wants. Express sets the prototype of both objects for each
 * request, after which V8 uses slow properties; with these classes the prototype is already set, which costs nothing.
 */
export function expressMessages(app: Application) {
  class Request extends IncomingMessage {}
  class Response extends PreemptibleResponse {}
  adopt(Request.prototype, express.request, app);
  adopt(Response.prototype, express.response, app);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

function adopt(prototype: object, fromExpress: object, app: Application): void {
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(fromExpress));
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: app,
  });
}
