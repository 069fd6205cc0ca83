import { IncomingMessage } from 'node:http';
import express from 'express';
import { PreemptibleResponse } from '../../../dist/platform/http/server/preemptible-response.js';

/** Creates Node's own request and a preemptible response, whose prototypes Express then has to set for each request. */
export function expressMessages(app) {
  app.response = Object.create(PreemptibleResponse.prototype, {
    ...Object.getOwnPropertyDescriptors(express.response),
    app: { configurable: true, enumerable: true, writable: true, value: app },
  });
  return { IncomingMessage, ServerResponse: PreemptibleResponse };
}
