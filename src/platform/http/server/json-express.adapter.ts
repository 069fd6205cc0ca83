import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Application, type Request, type Response } from 'express';
import { answerUnmatched } from '../errors/unmatched-route.js';
import { writeJson } from '../json/write-json.js';
import { answerClientError } from './client-error.js';

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
    const server = createServer(this.getInstance<Application>());
    server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      answerClientError(error, socket as Socket),
    );
    // Nobody is invited to send a body before somebody wants to read it.
    server.on('checkContinue', this.getInstance<Application>());
    this.httpServer = server;
  }

  /** The whole answer at once: plain data as JSON with exact integers, a string as it is. */
  override reply(response: Response, body: unknown, status?: number): void {
    if (status !== undefined) response.statusCode = status;
    if (body === undefined || body === null) {
      response.end();
      return;
    }
    const text = typeof body === 'string' ? body : writeJson(body);
    if (!response.hasHeader('Content-Type'))
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  }

  override setNotFoundHandler(): void {
    const app = this.getInstance<Application>();
    this.use((request: Request, response: Response) => answerUnmatched(app, request, response));
  }
}
