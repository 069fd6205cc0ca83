import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorResponse } from '../errors/api-exception.js';
import { answeredRequest, factsOf } from '../request.js';
import { errorText } from './client-errors.js';
import { hasFaultyFraming, requestIdOf } from './request-line.js';

/** The times since the server stopped listening after which the last requests are answered and all connections are closed. */
const ANSWER_THE_REST_AFTER_MS = 3_900;
const DESTROY_CONNECTIONS_AFTER_MS = 4_000;
const CHECK_EVERY_MS = 50;

const SHUTTING_DOWN = errorResponse('shutting_down');

/**
 * A server that handles one request of each connection at a time, and answers every request that has arrived before it stops. Node's
 * parser emits all requests of a chunk that it has read (64 KB). They wait here, and the connection is not read meanwhile.
 */
export class DrainableServer extends Server {
  /** The responses that each open connection waits for, in the order of its requests. Only the first one has begun, or is over. */
  readonly #owed = new Map<Socket, ServerResponse[]>();
  #isDraining = false;

  constructor(
    options: ServerOptions,
    private readonly begin: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    super(options);
    this.on('connection', (socket: Socket) => {
      const owed: ServerResponse[] = [];
      this.#owed.set(socket, owed);
      socket.once('close', () => this.#owed.delete(socket));
      // Node itself resumes a socket, for example at the end of each request.
      socket.on('resume', () => {
        if (owed.length > 1) stopReading(socket);
      });
    });
    const accept = (request: IncomingMessage, response: ServerResponse) =>
      this.#accept(request.socket, response);
    // `100 Continue` is sent when the body is read; other expectations are ignored.
    this.on('request', accept).on('checkContinue', accept).on('checkExpectation', accept);
  }

  /** The response that a connection waits for first. */
  nextTo = (socket: Socket): ServerResponse | undefined => this.#owed.get(socket)?.[0];

  #accept(socket: Socket, response: ServerResponse): void {
    const owed = this.#owed.get(socket);
    const before = owed?.at(-1);
    if (!owed || !socket.writable || (before && this.#isLast(before))) return;
    const count = owed.push(response);
    // ensures: one request of a connection is at work at a time
    if (count === 1) this.#begin(owed);
    else if (count === 2) {
      socket.pause();
      this.#beginNextAfter(owed[0]!, socket, owed);
      // ensures: only the last response of a draining server closes the connection
      if (this.#isDraining && !before!.headersSent) before!.setHeader('Connection', 'keep-alive');
    }
  }

  /** Whether a response closes its connection, so that no request after it is handled (RFC 9112 section 9.6). */
  #isLast(response: ServerResponse): boolean {
    if (hasFaultyFraming(response.req)) return true;
    const isRevocable = this.#isDraining && !response.headersSent;
    return !isRevocable && response.getHeader('Connection') === 'close';
  }

  #begin(owed: ServerResponse[]): void {
    const response = owed[0]!;
    response.once('close', () => {
      if (owed.length === 1) owed.pop();
    });
    // ensures: the last response of a draining server closes the connection
    if (this.#isDraining && owed.length === 1) response.setHeader('Connection', 'close');
    this.begin(response.req, response);
  }

  /** Begins in a later turn of the event loop, so that other connections get theirs, and in the async context of its own request. */
  #beginNextAfter(response: ServerResponse, socket: Socket, owed: ServerResponse[]): void {
    const next = AsyncResource.bind(() => this.#beginNext(socket, owed));
    // Node emits this event after `finish`, when the system has the whole response.
    response.once('close', () => setImmediate(next));
  }

  #beginNext(socket: Socket, owed: ServerResponse[]): void {
    if (owed.length < 2 || !socket.writable) return;
    // Only now, so that nothing is read before the next request begins.
    owed.shift();
    // The response before has set a shorter time. A file needs the shorter time again, because Node checks twice that a client reads.
    socket.setTimeout(this.timeout);
    owed[0]!.once('pipe', () => socket.setTimeout(this.timeout / 3));
    // ensures: all requests of a connection get their turn
    if (owed.length > 1) this.#beginNextAfter(owed[0]!, socket, owed);
    else socket.resume();
    this.#begin(owed);
  }

  /**
   * Ends a connection with the responses to its complete requests. The last request is late because earlier requests are in progress,
   * so the rest of it is not read. @returns false if no request waits
   */
  endBehindWaiting(socket: Socket): boolean {
    const owed = this.#owed.get(socket) ?? [];
    if (owed.length < 2) return false;
    if (!owed.at(-1)!.req.complete) owed.pop();
    const last = owed.at(-1)!;
    if (last.headersSent) last.once('finish', () => socket.destroySoon());
    else last.setHeader('Connection', 'close');
    // Unread data would make the system reset the connection, and responses could get lost.
    if (owed.length === 1) socket.resume();
    return true;
  }

  /** Node takes a connection for idle before the client has read the response. */
  override closeIdleConnections(): void {
    for (const [first] of this.#owed.values()) if (first?.writableEnded) return;
    super.closeIdleConnections();
  }

  /** Ends each connection with its last response, stops listening after `delayMs`, and returns when all connections are closed. */
  async drain(delayMs: number): Promise<void> {
    this.#isDraining = true;
    for (const [first, ...waiting] of this.#owed.values()) {
      // A response that is being sent cannot get the header. Its connection is closed when it is idle.
      if (first?.headersSent === false && waiting.length === 0) first.setHeader('Connection', 'close');
    }
    if (delayMs > 0 && this.listening) await sleep(delayMs);

    const closed = once(this, 'close');
    this.close();
    const timers = [
      setInterval(() => this.closeIdleConnections(), CHECK_EVERY_MS),
      setTimeout(() => this.#owed.forEach(answerTheRest), ANSWER_THE_REST_AFTER_MS),
      // Node's `closeAllConnections` skips connections that have not sent anything.
      setTimeout(() => this.#owed.forEach((_, socket) => socket.destroy()), DESTROY_CONNECTIONS_AFTER_MS),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Node reads a resumed socket even if it was paused before that. Only the event stops it, which `pause` then does not emit. */
function stopReading(socket: Socket): void {
  if (socket.readableFlowing === false) socket.emit('pause');
  else socket.pause();
}

/** Writes to the socket directly. What handlers still write is dropped, as if the client had left. */
function answerTheRest(owed: readonly ServerResponse[], socket: Socket): void {
  if (owed.length === 0 || owed[0]!.headersSent) return;
  for (const response of owed) {
    // Work on a request that waits has not begun, so the request has no id.
    factsOf(response.req).id ??= requestIdOf(response.req);
    socket.write(errorText(SHUTTING_DOWN, response, response === owed.at(-1) ? 'close' : 'keep-alive'));
    new Logger('Drain').warn('shutting_down: the response took too long', answeredRequest(response, 503));
  }
  socket.end();
}
