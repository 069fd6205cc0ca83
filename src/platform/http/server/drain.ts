import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from './deadline.js';
import type { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';

/** Since the server has stopped listening: when the last requests are answered, and when all connections are closed. */
const END_REQUESTS_AFTER_MS = 3_900;
const DESTROY_CONNECTIONS_AFTER_MS = 4_000;
const CHECK_EVERY_MS = 50;

/**
 * A server that stops without harm to the requests in flight. Node takes a connection for idle as soon as the answer is given,
 * also when the client has yet to fetch it; this server closes idle ones only once no answer waits for its client.
 */
export class DrainableServer extends Server {
  readonly #sockets = new Set<Socket>();
  /** The newest request of each connection, since the drain has begun. */
  readonly #newest = new WeakMap<Socket, LeanResponse>();
  #isDraining = false;

  constructor(
    options: ServerOptions,
    listener: (request: IncomingMessage, response: never) => void,
    private readonly inFlight: InFlight,
    private readonly deadline: Deadline,
  ) {
    super(options, listener as () => void);
    this.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  override closeIdleConnections(): void {
    for (const { writableLength } of this.#sockets) if (writableLength > 0) return;
    super.closeIdleConnections();
  }

  get sockets(): Iterable<Socket> {
    return this.#sockets;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Lets connections end with their next answer; stops listening after `delayMs`, and returns when no connection is left. */
  async drain(delayMs: number): Promise<void> {
    this.#isDraining = true;
    for (const response of this.inFlight.waiting()) {
      // Node sends nothing after an answer that closes; otherwise the connection is closed when it has become idle.
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

  /** Lets the answer say that its connection closes, instead of the one before it on the same connection. */
  closeAfter(response: LeanResponse): void {
    const { socket } = response.req;
    const before = this.#newest.get(socket);
    if (before) before.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    this.#newest.set(socket, response);
  }

  /** Node's `closeAllConnections` leaves out those that have not sent anything. */
  #destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
