import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from './deadline.js';
import type { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';

/** In ms, from the moment when nobody is let in any more: when the last are answered, and when all connections are cut. */
const LAST_ANSWERS_AFTER_MS = 3_900;
const CUT_AFTER_MS = 4_000;
const CHECK_EVERY_MS = 50;

/**
 * Node takes a connection for idle as soon as the answer is given, also when the client has yet to fetch it, and closes the
 * idle ones in `close`. This server closes them only once no answer waits for its client.
 */
export class DrainableServer extends Server {
  readonly #sockets = new Set<Socket>();

  constructor(options: ServerOptions, listener: (request: IncomingMessage, response: never) => void) {
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

  /** Node's `closeAllConnections` knows only those that have sent something. */
  destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Ends a server without harm to those who are being served. */
export class Drain {
  #begun = false;
  /** The newest request of each connection, since the drain has begun. */
  readonly #newest = new WeakMap<Socket, LeanResponse>();

  constructor(
    private readonly server: DrainableServer,
    private readonly inFlight: InFlight,
    private readonly deadline: Deadline,
  ) {}

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** Lets connections end with their next answer; after `delay` ms lets nobody in, and returns when nobody is left. */
  async run(delay: number): Promise<void> {
    this.#begun = true;
    for (const response of this.inFlight.waiting()) {
      // After one that says so Node sends nothing more; without it the connection is closed when it has become idle.
      if (!this.inFlight.hasInLine(response.req.socket)) this.closeAfter(response);
    }
    if (delay > 0 && this.server.listening) await sleep(delay);

    const closed = once(this.server, 'close');
    this.server.close();
    const timers = [
      setInterval(() => this.server.closeIdleConnections(), CHECK_EVERY_MS),
      setTimeout(() => this.deadline.endAll(), LAST_ANSWERS_AFTER_MS),
      setTimeout(() => this.server.destroyConnections(), CUT_AFTER_MS),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  /** Lets the answer say that its connection closes, in the place of those that the connection waits for before it. */
  closeAfter(response: LeanResponse): void {
    const { socket } = response.req;
    const before = this.#newest.get(socket);
    if (before) before.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    this.#newest.set(socket, response);
  }
}
