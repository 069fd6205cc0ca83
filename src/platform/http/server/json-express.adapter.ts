import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import { Logger, StreamableFile } from '@nestjs/common';
import express, { type Application, type Request, type Response } from 'express';
import type { Settings } from '../../config/settings.js';
import { shownName } from '../../json/shown-name.js';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { answered, requestRejected } from '../../observability/requests.js';
import { continueTrace } from '../../observability/trace-context.js';
import { errorResponse } from '../errors/api-exception.js';
import { toErrorResponse } from '../errors/error-response.js';
import { answerWithError, PATH_PREFIX } from '../errors/write-error.js';
import { pathPrefix } from '../links.js';
import { requestFacts } from '../request-facts.js';
import { Admission } from './admission.js';
import { answerClientErrors, answerLast } from './client-errors.js';
import { corsHeaders } from './cors.js';
import { DrainableServer } from './drain.js';
import { expressMessages } from './express-messages.js';
import { refusalOf, requestIdOf } from './request-line.js';
import { RoutesAdapter } from './routes.adapter.js';
import { sendJson } from './send-json.js';

/** Times in ms, of which the one for headers is also that of a connection that sends nothing. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  connectionsCheckingInterval: 250,
  maxHeaderSize: 16 * 1024,
};

/** In ms. So long nothing may move on a connection that waits for an answer: it ends a handler that hangs, and who does not read. */
const LONGEST_STANDSTILL = 15_000;

/**
 * How many connections may wait to be accepted, as far as the system allows (`net.core.somaxconn`). With Node's default of 511
 * a larger burst would lose connections, and clients retry only after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/** Express with strict paths, exact JSON, limits, and all errors in the Error body of the contract. */
export class JsonExpressAdapter extends RoutesAdapter {
  readonly admission: Admission;
  #server: DrainableServer | undefined;

  constructor(private readonly settings: Settings) {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // As Express does, but for the whole query: by default `parse` ignores everything after 1,000 parameters.
    app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
    // To be set before the router exists, which copies both settings.
    app.enable('strict routing');
    app.enable('case sensitive routing');
    app.set('trust proxy', settings.trustProxy);
    app.set(PATH_PREFIX, pathPrefix(settings));
    super(app);
    this.admission = new Admission(settings.maxInFlight);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Application>();
    const { keepAliveTimeout, corsOrigins, maxConnections } = this.settings;
    const addCorsHeaders = corsOrigins && corsHeaders(corsOrigins, () => this.allowedMethods.of());
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      addCorsHeaders?.(request, response);
      response.setHeader('X-Request-Id', requestIdOf(request));
      // RFC 6797 section 7.2 forbids it without TLS, which a trusted proxy has.
      if (request.headers['x-forwarded-proto'] && (request as Request).secure)
        response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
      response.on('prefinish', tellAnswered);
      const refusal = refusalOf(request);
      const work = () => {
        continueTrace(request, response);
        if (!refusal) return void app(request as Request, response as Response);
        response.setHeader('Connection', 'close');
        answerWithError(request as Request, response, refusal);
      };
      if (refusal) work();
      else this.admission.enter(response, work);
    };
    // Node's own check of the Host header answers without a body.
    const messages = { ...expressMessages(app), requireHostHeader: false } as ServerOptions;
    const server = new DrainableServer({ ...messages, ...LIMITS, keepAliveTimeout }, begin);
    server.timeout = LONGEST_STANDSTILL;
    // As many as `maxHeaderSize` has room for: Node drops those beyond a number without a word.
    server.maxHeadersCount = 0;
    limitConnections(server, maxConnections);
    answerClientErrors(server, (socket) => server.nextTo(socket));
    server.once('close', () => this.admission.refused.end());
    server.on('connect', ({ url = '' }, stream) => {
      const socket = stream as Socket;
      // Node no longer listens; without a listener a reset would end the process.
      socket.on('error', () => socket.destroy());
      const headers = { Allow: 'GET, HEAD, OPTIONS, POST' };
      const error = errorResponse('method_not_allowed', `No tunnel leads to ${shownName(url)}.`, { headers });
      answerLast(socket, error, server.nextTo(socket));
    });
    this.#server = this.httpServer = server;
  }

  override listen(port: string | number, ...args: [hostname?: unknown, callback?: unknown]): Server {
    const callback = args.pop() as () => void;
    const [host] = args as string[];
    return this.#server!.listen({ port: Number(port), backlog: BACKLOG, host }, callback);
  }

  /** `app.close()` calls this first, while everything that the requests in flight need still exists. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.#server?.drain(this.settings.drainDelay);
  }

  /** Sends what handlers return. Errors are sent by the filter. */
  override reply(response: Response, body: unknown, status?: number): void {
    if (body instanceof StreamableFile) {
      nameFailure(body, response);
      super.reply(response, body, status);
      return;
    }
    if (status !== undefined) response.statusCode = status;
    sendJson(response, body);
  }
}

function tellAnswered(this: ServerResponse): void {
  if (answered.hasSubscribers) answered.publish(requestFacts(this));
}

/** Files of the database, its connections, the log: what the process may open besides connections of clients. */
const OTHER_FILES = 128;

/** As many as are wanted, or as the process may have open files (`ulimit -n`). */
function limitConnections(server: Server, wanted: number): void {
  const log = new Logger('Connections');
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { soft: unknown } } };
  const files = Number(userLimits.open_files.soft);
  server.maxConnections = files < wanted + OTHER_FILES ? Math.max(1, files - OTHER_FILES) : wanted;
  if (server.maxConnections < wanted)
    log.warn(
      `MAX_CONNECTIONS is ${wanted}, but the process may open only ${files} files: at most ${server.maxConnections} connections. Raise the limit (ulimit -n, LimitNOFILE).`,
    );
  const dropped = new LogCounter((count) => log.warn(`dropped ${count}, with ${server.maxConnections} open`));
  server.once('close', () => dropped.end());
  server.on('drop', () => {
    dropped.add();
    requestRejected.publish('connections');
  });
}

/** Nest answers a file that cannot be read with `Bad Request`, which is no fault of the client. A handler of the module's own stays. */
function nameFailure(file: StreamableFile, response: Response): void {
  const { send } = response;
  const handle = file.errorHandler;
  file.setErrorHandler((error, answer) => {
    response.send = (text: unknown) => {
      if (text !== 'Bad Request' || response.statusCode !== 400) return send.call(response, text);
      response.removeHeader('Content-Disposition');
      answerWithError(response.req, response, toErrorResponse(error));
      return response;
    };
    handle(error, answer);
  });
}
