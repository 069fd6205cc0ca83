import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from './deadline.js';
import type { InFlight } from './in-flight.js';
import type { PreemptibleResponse } from './preemptible-response.js';

/** Times since the server stopped listening: when the last requests are answered, and when all connections are closed. */
const END_REQUESTS_AFTER_MS = 3_900;
const DESTROY_CONNECTIONS_AFTER_MS = 4_000;
const CHECK_EVERY_MS = 50;

/**
 * A server that stops without breaking the requests in flight. Node considers a connection idle as soon as the answer was
 * written, even if the client has not read it yet; this server closes idle connections only when no answer is still being sent.
 */
export class DrainableServer extends Server {
  /** The open connections, and when each began or sent its latest request, in ms of `performance.now()`. */
  readonly sockets = new Map<Socket, number>();
  /** The latest request of each connection since the drain began. */
  readonly #newest = new WeakMap<Socket, PreemptibleResponse>();
  #isDraining = false;

  constructor(
    options: ServerOptions,
    listener: (request: IncomingMessage, response: never) => void,
    private readonly inFlight: InFlight,
    private readonly deadline: Deadline,
  ) {
    super(options, listener as () => void);
    this.on('connection', (socket) => {
      this.sockets.set(socket, performance.now());
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  override closeIdleConnections(): void {
    for (const { writableLength } of this.sockets.keys()) if (writableLength > 0) return;
    super.closeIdleConnections();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Ends each connection with its next answer, stops listening after `delayMs`, and returns when all are closed. */
  async drain(delayMs: number): Promise<void> {
    this.#isDraining = true;
    for (const { response } of this.inFlight.waiting()) {
      // Node sends nothing after an answer that closes; a connection with a pipelined answer is closed when it is idle.
      if (!this.inFlight.hasPipelined(response.req.socket)) this.closeAfter(response);
    }
    if (delayMs > 0 && this.listening) await sleep(delayMs);

    const closed = once(this, 'close');
    this.close();
    const timers = [
      setInterval(() => this.closeIdleConnections(), CHECK_EVERY_MS),
      setTimeout(() => this.deadline.endAll(), END_REQUESTS_AFTER_MS),
      setTimeout(() => this.#destroyConnections(), DESTROY_CONNECTIONS_AFTER_MS),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  /** Makes this answer the one that closes its connection, instead of an earlier one. */
  closeAfter(response: PreemptibleResponse): void {
    const { socket } = response.req;
    const before = this.#newest.get(socket);
    if (before) before.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    this.#newest.set(socket, response);
  }

  /** Node's `closeAllConnections` skips those that have not sent anything. */
  #destroyConnections(): void {
    for (const socket of this.sockets.keys()) socket.destroy();
  }
}
