import { IncomingMessage } from 'node:http';
import express, { type Application } from 'express';
import { LeanResponse } from './lean-response.js';

/**
 * Request and response classes that are born as what Express makes of them. For each request Express sets the prototype of
 * both objects, after which V8 treats them as slow ones; with these classes it sets what is there already, which costs nothing.
 */
export function expressMessages(app: Application) {
  class Request extends IncomingMessage {}
  class Response extends LeanResponse {}
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
