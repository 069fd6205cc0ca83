import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Application, type Request, type Response } from 'express';
import { continueTrace } from '../../observability/tracing/trace-context.js';
import { tracing } from '../../observability/tracing/tracing.js';
import type { Settings } from '../../config/settings.js';
import { answerUnmatched } from '../errors/unmatched-route.js';
import { Admission } from './admission.js';
import { AllowedMethods } from '../errors/allowed-methods.js';
import { boundConnections, BOUNDS, ClientErrors } from './connections.js';
import { corsHeaders } from './cors.js';
import { Deadline } from './deadline.js';
import { Drain, DrainableServer } from './drain.js';
import { expressMessages } from './express-messages.js';
import { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';
import { answerRaw } from './early-errors.js';
import { rejectMalformedRequest, requestIdOf } from './request-line.js';
import { sendJson } from './send-json.js';
import { CONTENT_SECURITY_POLICY, SECURITY_HEADER_LINES } from './security-headers.js';

/** What the operator decided of how much the server takes on, how it ends, and whose pages may use it. */
type Bounds = Pick<
  Settings,
  'maxInFlight' | 'maxConnections' | 'requestTimeout' | 'drainDelay' | 'corsOrigins'
>;

/** What routes are noted for; `@All` has these. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
type Method = (typeof METHODS)[number];

/** Express as this service wants it: strict paths, exact JSON, every refusal in our Error body. */
export class JsonExpressAdapter extends ExpressAdapter {
  readonly inFlight = new InFlight();
  readonly #allowedMethods = new AllowedMethods();
  #drain: Drain | undefined;

  constructor(private readonly bounds: Bounds) {
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
    const { maxInFlight, maxConnections, requestTimeout, corsOrigins } = this.bounds;
    const { inFlight } = this;
    const admission = new Admission(inFlight, maxInFlight);
    const addCorsHeaders = corsOrigins && corsHeaders(corsOrigins, () => this.#allowedMethods.all());
    const begin = (request: IncomingMessage, message: ServerResponse) => {
      const response = message as LeanResponse;
      if (drain.hasBegun) drain.closeAfter(response);
      addCorsHeaders?.(request, response);
      if (admission.refuses(response)) return;
      inFlight.enter(response);
      response.setHeader('X-Request-Id', requestIdOf(request));
      response.setHeader(...CONTENT_SECURITY_POLICY);
      response.fixedHeaderLines = SECURITY_HEADER_LINES;
      const { current } = tracing;
      if (current) current.request(request, response, () => serve(request, response));
      else {
        continueTrace(request, response);
        serve(request, response);
      }
    };
    const serve = (request: IncomingMessage, response: LeanResponse) => {
      if (!rejectMalformedRequest(request, response))
        app(request as Request, response as ServerResponse as Response);
    };
    // Node's own check of Host answers without a body.
    const options = { ...expressMessages(app), ...BOUNDS, requireHostHeader: false } as ServerOptions;
    const server = new DrainableServer(options, begin);
    boundConnections(server, maxConnections);
    // Nobody is invited to send a body before somebody wants to read it; other expectations have no meaning here.
    server.on('checkContinue', begin).on('checkExpectation', begin);
    const clientErrors = new ClientErrors();
    server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      clientErrors.answer(error, socket as Socket),
    );
    server.on('connect', ({ url }, socket) => {
      answerRaw(socket, 'method_not_allowed', `No tunnel leads to ${url}.`, {
        Allow: 'GET, HEAD, OPTIONS, POST',
      });
    });
    server.once('close', () => {
      admission.end();
      clientErrors.end();
    });
    const deadline = new Deadline(inFlight, requestTimeout);
    deadline.watch(server);
    const drain = (this.#drain = new Drain(server, inFlight, deadline));
    this.httpServer = server;
  }

  /** The first that `app.close()` waits for: whatever the requests in flight need is still there. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.#drain?.run(this.bounds.drainDelay);
  }

  /** The way out of what handlers return; errors take their own. */
  override reply(response: Response & LeanResponse, body: unknown, status?: number): void {
    if (body instanceof StreamableFile) {
      super.reply(response, body, status);
      return;
    }
    if (status !== undefined) response.statusCode = status;
    sendJson(response, body);
  }

  override setNotFoundHandler(): void {
    this.use((request: Request, response: Response) =>
      answerUnmatched(this.#allowedMethods.of(request.path), request, response),
    );
  }

  override get = this.#registerFor('get');
  override post = this.#registerFor('post');
  override put = this.#registerFor('put');
  override patch = this.#registerFor('patch');
  override delete = this.#registerFor('delete');
  override head = this.#registerFor('head');
  override options = this.#registerFor('options');
  override all = this.#registerFor('all');

  /** Registers routes with Express, as Nest's adapter does, and notes which methods they have. */
  #registerFor(method: Method | 'all') {
    return (path: unknown, ...handlers: unknown[]): Application => {
      for (const each of method === 'all' ? METHODS : [method])
        if (typeof path === 'string') this.#allowedMethods.add(each.toUpperCase(), path);
      return this.getInstance<Record<typeof method, (...route: unknown[]) => Application>>()[method](
        path,
        ...handlers,
      );
    };
  }
}
