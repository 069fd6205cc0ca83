import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import { StreamableFile } from '@nestjs/common';
import express, { type Application, type Request, type Response } from 'express';
import { shownName } from '../../json/shown-name.js';
import { continueTrace } from '../../observability/trace-context.js';
import type { Settings } from '../../config/settings.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerFailedFile } from '../errors/failed-file.js';
import { PATH_PREFIX } from '../errors/write-error.js';
import { pathPrefix } from '../links.js';
import { answerClientErrors, answerLast } from './client-errors.js';
import {
  CONNECTION_LIMITS,
  cutStalledAnswers,
  limitConnections,
  possibleConnections,
} from './connections.js';
import { corsHeaders } from './cors.js';
import { Deadline } from './deadline.js';
import { DrainableServer } from './drain.js';
import { expressMessages } from './express-messages.js';
import { InFlight } from './in-flight.js';
import type { PreemptibleResponse } from './preemptible-response.js';
import { isBehindMalformed, rejectMalformedRequest, requestIdOf } from './request-line.js';
import { RoutesAdapter } from './routes.adapter.js';
import { sendJson } from './send-json.js';
import { STRICT_TRANSPORT_SECURITY } from './security-headers.js';

/** The settings of the server: its limits, how it stops, the allowed origins, and what is in front of it. */
type ServerSettings = Pick<
  Settings,
  | 'maxInFlight'
  | 'maxConnections'
  | 'trustProxy'
  | 'requestTimeout'
  | 'keepAliveTimeout'
  | 'drainDelay'
  | 'corsOrigins'
  | 'baseUrl'
  | 'reusePort'
>;

/**
 * How many connections may wait to be accepted, as far as the system allows (`net.core.somaxconn`). With Node's default of 511
 * a larger burst would lose connections, and clients retry only after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/** Express with strict paths, exact JSON, limits, and all errors in the Error body of the contract. */
export class JsonExpressAdapter extends RoutesAdapter {
  readonly inFlight: InFlight;
  #server: DrainableServer | undefined;

  constructor(private readonly settings: ServerSettings) {
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
    this.inFlight = new InFlight(settings.maxInFlight, settings.requestTimeout);
  }

  override initHttpServer(): void {
    const app = this.getInstance<Application>();
    const { requestTimeout, keepAliveTimeout, corsOrigins, maxConnections } = this.settings;
    const { inFlight } = this;
    const addCorsHeaders = corsOrigins && corsHeaders(corsOrigins, () => this.allowedMethods.of());
    const begin = (request: IncomingMessage, message: ServerResponse) => {
      if (isBehindMalformed(request)) return;
      const response = message as PreemptibleResponse;
      if (server.isDraining) server.closeAfter(response);
      addCorsHeaders?.(request, response);
      response.setHeader('X-Request-Id', requestIdOf(request));
      if (isSecure(request)) response.setHeader(...STRICT_TRANSPORT_SECURITY);
      server.sockets.set(request.socket, response.begunAt);
      inFlight.enter(response, work);
    };
    const work = (response: PreemptibleResponse) => {
      const request = response.req;
      continueTrace(request, response);
      if (!rejectMalformedRequest(request, response))
        app(request as Request, response as ServerResponse as Response);
    };
    // Node's own check of the Host header answers without a body.
    const options = {
      ...expressMessages(app),
      ...CONNECTION_LIMITS,
      keepAliveTimeout,
      requireHostHeader: false,
    } as ServerOptions;
    const deadline = new Deadline(inFlight, requestTimeout);
    const server = new DrainableServer(options, begin, inFlight, deadline);
    deadline.watch(server);
    inFlight.watch(server);
    limitConnections(server, possibleConnections(maxConnections), inFlight);
    cutStalledAnswers(server);
    answerClientErrors(server, inFlight);
    // `100 Continue` is sent when the body is read; other expectations are ignored.
    server.on('checkContinue', begin).on('checkExpectation', begin);
    server.on('connect', ({ url = '' }, socket) => {
      // Node no longer listens; without a listener a reset would end the process.
      socket.on('error', () => socket.destroy());
      const headers = { Allow: 'GET, HEAD, OPTIONS, POST' };
      const error = errorResponse('method_not_allowed', `No tunnel leads to ${shownName(url)}.`, { headers });
      answerLast(socket as Socket, error, inFlight);
    });
    this.#server = this.httpServer = server;
  }

  override listen(port: string | number, ...args: [hostname?: unknown, callback?: unknown]): Server {
    const callback = args.pop() as () => void;
    const [host] = args as string[];
    const { reusePort } = this.settings;
    // `reusePort` is missing in the types of Node.js 20, which refuses the setting.
    const options = { port: Number(port), backlog: BACKLOG, reusePort, ...(host !== undefined && { host }) };
    return this.#server!.listen(options, callback);
  }

  /** `app.close()` calls this first, while everything that the requests in flight need still exists. */
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    await this.#server?.drain(this.settings.drainDelay);
  }

  /** Sends what handlers return. Errors are sent by the filter. */
  override reply(response: Response & PreemptibleResponse, body: unknown, status?: number): void {
    if (body instanceof StreamableFile) {
      answerFailedFile(body);
      super.reply(response, body, status);
      return;
    }
    if (status !== undefined) response.statusCode = status;
    sendJson(response, body);
  }
}

/** Whether a trusted proxy reports that the client used TLS, which the service itself does not support. */
const isSecure = (request: IncomingMessage): boolean =>
  request.headers['x-forwarded-proto'] !== undefined && (request as Request).secure;
