import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Application, type Request, type Response } from 'express';
import { answerUnmatched } from '../errors/unmatched-route.js';
import { answerClientError } from './client-error.js';
import { answerRaw } from './raw-answer.js';
import { expressMessages } from './express-messages.js';
import { refuseAsHttp } from './request-line.js';
import { requestIdOf } from './request-id.js';
import { sendJson } from './send-json.js';
import { STANDING_HEADERS } from './standing-headers.js';

/** How long a client may take, in ms: to send its headers, to send all of the request, to send another one. */
const TIMES = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
};

/** Express as this service wants it: strict paths, exact JSON, every refusal in our Error body. */
export class JsonExpressAdapter extends ExpressAdapter {
  constructor() {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // Both before the router exists: it takes the settings it is born with.
    app.enable('strict routing');
    app.enable('case sensitive routing');
    super(app);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Application>();
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('X-Request-Id', requestIdOf(request));
      for (const [name, value] of STANDING_HEADERS) response.setHeader(name, value);
      if (!refuseAsHttp(request, response)) app(request as Request, response as Response);
    };
    // Node's own check of Host answers without a body.
    const server = createServer({ ...expressMessages(app), ...TIMES, requireHostHeader: false }, begin);
    // Nobody is invited to send a body before somebody wants to read it; other expectations have no meaning here.
    server.on('checkContinue', begin).on('checkExpectation', begin);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      answerClientError(error, socket as Socket),
    );
    server.on('connect', ({ url }, socket) => {
      answerRaw(socket, 'method_not_allowed', `No tunnel leads to ${url}.`, {
        Allow: 'GET, HEAD, OPTIONS, POST',
      });
    });
    this.httpServer = server;
  }

  override reply(response: Response, body: unknown, status?: number): void {
    if (status !== undefined) response.statusCode = status;
    sendJson(response, body);
  }

  override setNotFoundHandler(): void {
    const app = this.getInstance<Application>();
    this.use((request: Request, response: Response) => answerUnmatched(app, request, response));
  }
}
