import { IncomingMessage } from 'node:http';
import express from 'express';
import { LeanResponse } from '../../../dist/platform/http/server/lean-response.js';

/** Creates Node's own request and a lean response, whose prototypes Express then has to set for each request. */
export function expressMessages(app) {
  app.response = Object.create(LeanResponse.prototype, {
    ...Object.getOwnPropertyDescriptors(express.response),
    app: { configurable: true, enumerable: true, writable: true, value: app },
  });
  return { IncomingMessage, ServerResponse: LeanResponse };
}
