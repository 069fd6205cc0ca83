import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import { Logger, StreamableFile } from '@nestjs/common';
import express, { type Application, type Request, type Response } from 'express';
import type { Settings } from '../../config/settings.js';
import { openFileLimit, RAISE_OPEN_FILES } from '../../config/open-files.js';
import { shownName } from '../../json/shown-name.js';
import { answered, requestRejected } from '../../observability/requests.js';
import { continueTrace } from '../../observability/trace-context.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';
import { pathPrefix } from '../links.js';
import { answeredRequest, factsOf } from '../request.js';
import { Admission } from './admission.js';
import { answerClientErrors, answerLast } from './client-errors.js';
import { Cors, isPreflight } from './cors.js';
import { DrainableServer } from './drain.js';
import { expressMessages, SECURITY_HEADERS } from './express-messages.js';
import { hasFaultyFraming, MAX_HEADERS, refusalOf, requestIdOf } from './request-line.js';
import { answerOptions, RoutesAdapter } from './routes.adapter.js';
import { sendFile } from './send-file.js';
import { sendJson } from './send-json.js';

/** Limits for a connection that sends. A connection that sends nothing has the same time as the headers of a request. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  connectionsCheckingInterval: 250,
  maxHeaderSize: 16 * 1024,
  // Node's own check answers without a body.
  requireHostHeader: false,
  // Node would drop a second `Host` or `Authorization` without a trace. Joined by a comma, they are valid neither as a host nor as a key.
  joinDuplicateHeaders: true,
};
/** The time in ms after which a connection is closed if its handler hangs, or if its client does not read. */
const LONGEST_STANDSTILL = 15_000;
/** With Node's default of 511 a larger burst would lose connections, and clients retry only after one, three and seven seconds. */
const BACKLOG = 4_096;

/** Express with exact JSON, limits, and all errors in the Error body of the contract. */
export class JsonExpressAdapter extends RoutesAdapter {
  readonly admission: Admission;
  /** Absent unless pages of other origins may use the service. */
  readonly cors: Cors | undefined;
  #server: DrainableServer | undefined;

  constructor(private readonly settings: Settings) {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // The parser of Express, without its limit. By default `parse` ignores everything after 1,000 parameters.
    app.set('query parser', (query: string) => parse(query, '&', '=', { maxKeys: 0 }));
    app.set('trust proxy', settings.trustProxy);
    super(app);
    this.admission = new Admission(settings.maxInFlight);
    const { corsOrigins } = settings;
    this.cors =
      corsOrigins &&
      new Cors(corsOrigins, async (request) =>
        // A malformed URL has no path.
        refusalOf(request) ? [] : this.methodsOf(request as Request),
      );
  }

  override initHttpServer(): void {
    const app = this.getInstance<Application>();
    const { keepAliveTimeout, maxConnections } = this.settings;
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      const facts = factsOf(request);
      facts.start = performance.now();
      facts.id = requestIdOf(request);
      // Not when the response is made, because a request behind another one of its connection should take little memory.
      for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
      const { id } = facts;
      if (this.cors)
        this.cors.addHeaders(request, response, () => {
          // The client may have left meanwhile.
          if (request.socket.writable) accept(request, response, id);
        });
      else accept(request, response, id);
    };
    const accept = (request: IncomingMessage, response: ServerResponse, id: string) => {
      response.setHeader('X-Request-Id', id);
      // RFC 6797 section 7.2 forbids it without TLS. A trusted proxy reports whether the client uses TLS.
      if (request.headers['x-forwarded-proto'] && (request as Request).secure)
        response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
      if (hasFaultyFraming(request)) response.setHeader('Connection', 'close');
      response.on('prefinish', () => {
        // Node checks twice before it closes the connection of a client that does not read.
        request.socket.setTimeout(server.timeout / 3);
        if (answered.hasSubscribers) answered.publish(answeredRequest(response));
      });
      const refusal = refusalOf(request);
      // A preflight of any URL succeeds, so that pages can read 404, 405 and `overloaded`, which a browser would hide from them.
      const isAnswered = refusal === undefined && this.cors !== undefined && isPreflight(request);
      const work = () => {
        continueTrace(request, response);
        if (isAnswered)
          return void this.methodsOf(request as Request).then((methods) => answerOptions(methods, response));
        if (!refusal) return void app(request as Request, response as Response);
        response.setHeader('Connection', 'close');
        answerWithError(response, refusal);
      };
      if (refusal || isAnswered) work();
      else this.admission.enter(response, work);
    };
    const options = {
      ...expressMessages(app, pathPrefix(this.settings)),
      ...LIMITS,
      keepAliveTimeout,
    } as ServerOptions;
    const server = new DrainableServer(options, begin);
    server.timeout = LONGEST_STANDSTILL;
    // Node drops further headers silently. With one more than is allowed, the service can see and reject the excess.
    server.maxHeadersCount = MAX_HEADERS + 1;
    server.maxConnections = possibleConnections(maxConnections);
    server.on('drop', () => requestRejected.publish('connections'));
    answerClientErrors(server);
    server.once('close', () => this.admission.refused.end());
    server.on('connect', ({ url = '' }, stream) => {
      const socket = stream as Socket;
      // Node has removed its listener. Without a listener a reset would end the process.
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

  /** `app.close()` calls this first, while everything that requests in progress need still exists. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.#server?.drain(this.settings.drainDelay);
  }

  /** Sends what handlers return. Errors are sent by the filter. */
  override reply(response: Response, body: unknown, status = response.statusCode): void {
    response.statusCode = status;
    const needsKey = factsOf(response.req).route?.isPublic === false;
    if (body instanceof StreamableFile)
      sendFile(response, body, needsKey, (file) => super.reply(response, file, status));
    else sendJson(response, body, needsKey);
  }
}

/** As many connections as are wanted and possible. Each one is an open file (`ulimit -n`), and the database and the log need some, too. */
function possibleConnections(wanted: number): number {
  const files = openFileLimit();
  const possible = Math.max(1, files - 128);
  if (!(possible < wanted)) return wanted;
  const found = `MAX_CONNECTIONS is ${wanted}, but the process may open only ${files} files`;
  new Logger('Connections').warn(`${found}: at most ${possible} connections. ${RAISE_OPEN_FILES}`);
  return possible;
}
