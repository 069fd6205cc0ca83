import { IncomingMessage } from 'node:http';
import express from 'express';
import { LeanResponse } from '../../../dist/platform/http/server/lean-response.js';

/** Messages are born as Node's own request and as a lean response, whose prototypes Express sets once more each time. */
export function expressMessages(app) {
  app.response = Object.create(LeanResponse.prototype, {
    ...Object.getOwnPropertyDescriptors(express.response),
    app: { configurable: true, enumerable: true, writable: true, value: app },
  });
  return { IncomingMessage, ServerResponse: LeanResponse };
}
