import { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';

export const SECURITY_HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

class ApiResponse extends ServerResponse {
  begunAt = performance.now();

  constructor(...args) {
    super(...args);
    for (const [name, value] of SECURITY_HEADERS) this.setHeader(name, value);
  }
}

/** Creates Node's own request and a response, whose prototypes Express then has to set for each request. */
export function expressMessages(app) {
  app.response = Object.create(ApiResponse.prototype, {
    ...Object.getOwnPropertyDescriptors(express.response),
    app: { configurable: true, enumerable: true, writable: true, value: app },
  });
  return { IncomingMessage, ServerResponse: ApiResponse };
}
