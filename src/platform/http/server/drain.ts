import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { errorResponse } from '../errors/api-exception.js';
import { requestFacts } from '../request-facts.js';
import { errorText } from './client-errors.js';

/** Times since the server stopped listening: when the last requests are answered, and when all connections are closed. */
const ANSWER_THE_REST_AFTER_MS = 3_900;
const DESTROY_CONNECTIONS_AFTER_MS = 4_000;
const CHECK_EVERY_MS = 50;

const SHUTTING_DOWN = errorResponse('shutting_down');

/** A server that answers, before it stops, every request that has come. */
export class DrainableServer extends Server {
  /** The answers that each open connection waits for, in the order of its requests. */
  readonly #owed = new Map<Socket, ServerResponse[]>();
  #isDraining = false;

  constructor(options: ServerOptions, begin: (request: IncomingMessage, response: ServerResponse) => void) {
    super(options);
    this.on('connection', (socket: Socket) => {
      const owed: ServerResponse[] = [];
      this.#owed.set(socket, owed);
      socket.once('close', () => {
        this.#owed.delete(socket);
        // Node tells only the first of them.
        for (const response of owed.slice()) response.emit('close');
      });
    });
    const accept = (request: IncomingMessage, response: ServerResponse) => {
      if (this.#accept(request.socket, response)) begin(request, response);
    };
    // `100 Continue` is sent when the body is read; other expectations are ignored.
    this.on('request', accept).on('checkContinue', accept).on('checkExpectation', accept);
  }

  /** The answer that a connection waits for first. */
  nextTo = (socket: Socket): ServerResponse | undefined => this.#owed.get(socket)?.[0];

  /** Accepts nothing behind an answer that closes the connection (RFC 9112 section 9.6). */
  #accept(socket: Socket, response: ServerResponse): boolean {
    const owed = this.#owed.get(socket);
    const before = owed?.at(-1);
    const isOver = before?.headersSent && before.getHeader('Connection') === 'close';
    if (!owed || !socket.writable || isOver) return false;
    if (this.#isDraining) {
      if (before?.headersSent === false) before.setHeader('Connection', 'keep-alive');
      response.setHeader('Connection', 'close');
    }
    owed.push(response);
    response.once('close', () => owed.splice(owed.indexOf(response), 1));
    return true;
  }

  /** For Node an answer is over before its client has fetched it. */
  override closeIdleConnections(): void {
    for (const [first] of this.#owed.values()) if (first?.writableEnded) return;
    super.closeIdleConnections();
  }

  /** Ends each connection with its last answer, stops listening after `delayMs`, and returns when all are closed. */
  async drain(delayMs: number): Promise<void> {
    this.#isDraining = true;
    for (const owed of this.#owed.values()) {
      const last = owed.at(-1);
      // What has begun cannot say so; its connection is closed when it is idle.
      if (last?.headersSent === false) last.setHeader('Connection', 'close');
    }
    if (delayMs > 0 && this.listening) await sleep(delayMs);

    const closed = once(this, 'close');
    this.close();
    const timers = [
      setInterval(() => this.closeIdleConnections(), CHECK_EVERY_MS),
      setTimeout(() => this.#owed.forEach(answerTheRest), ANSWER_THE_REST_AFTER_MS),
      // Node's `closeAllConnections` skips those that have not sent anything.
      setTimeout(() => this.#owed.forEach((_, socket) => socket.destroy()), DESTROY_CONNECTIONS_AFTER_MS),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Past the response objects: what handlers still write is dropped, as if the client had left. */
function answerTheRest(owed: readonly ServerResponse[], socket: Socket): void {
  if (owed.length === 0 || owed[0]!.headersSent) return;
  for (const response of owed) {
    socket.write(errorText(SHUTTING_DOWN, response, response === owed.at(-1) ? 'close' : 'keep-alive'));
    new Logger('Drain').warn('shutting_down: the answer took too long', requestFacts(response, 503));
  }
  socket.end();
}
