import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { networkOf, trustedProxies } from '../client-network.js';
import { errorResponse } from '../errors/api-exception.js';
import { writeError } from '../errors/write-error.js';
import { requestRejected } from '../http-channels.js';
import type { LeanResponse } from './lean-response.js';
import { MAX_HEADERS, PROBE } from './request-line.js';
import type { DrainableServer } from './drain.js';

/**
 * Limits of a connection: bytes of address and headers together, and times in ms to send the headers, to send all of the
 * request, to send another one. A connection on which nothing ever came has no longer than one whose headers do not end.
 */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 250,
};
/** How many connections there may be besides, for probes alone. */
const RESERVED = 64;

const TOO_MANY_CONNECTIONS = errorResponse(
  'overloaded',
  'The service has as many connections as it takes. Try again after the time in Retry-After.',
);

/**
 * Limits the number of connections, and the share of each client to as many as are still free: whoever takes all it can get
 * leaves half of them, the next one a quarter. A connection beyond that is reserved for probes, since a busy process must
 * not be taken for a dead one; when there are too many of these, each new one takes the place of the oldest.
 */
export class Connections {
  readonly #byNetwork = new Map<string, number>();
  readonly #reserved = new Set<Socket>();
  #count = 0;
  readonly #maxConnections: number;
  readonly #isProxy: (address: string) => boolean;
  readonly #rejected: LogCounter;

  constructor({ maxConnections, trustProxy }: Pick<Settings, 'maxConnections' | 'trustProxy'>) {
    this.#maxConnections = maxConnections;
    this.#isProxy = trustedProxies(trustProxy);
    this.#rejected = new LogCounter((count) =>
      new Logger('Connections').warn(`refused ${count}, with ${this.#count} of ${maxConnections} open`),
    );
  }

  /** Looks after the connections of a server until it has closed. */
  watch(server: Server): void {
    // Node drops what is beyond in silence; with one more than we allow it can be seen, and rejected.
    server.maxHeadersCount = MAX_HEADERS + 1;
    server.on('connection', (socket) => this.#admit(socket));
    server.once('close', () => this.#rejected.end());
  }

  /** Rejects a request that is no probe on a connection that is reserved for probes. @returns whether it did */
  rejects(response: LeanResponse): boolean {
    if (this.#reserved.size === 0 || !this.#reserved.has(response.req.socket)) return false;
    response.shouldKeepAlive = false;
    if (PROBE.test(response.req.url!)) return false;
    writeError(response, TOO_MANY_CONNECTIONS);
    return true;
  }

  #admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    // All clients of a proxy come from its address.
    const network = this.#isProxy(address) ? undefined : networkOf(address);
    const held = network === undefined ? 0 : (this.#byNetwork.get(network) ?? 0);
    if (held >= this.#maxConnections - this.#count) {
      this.#reserve(socket);
      return;
    }
    this.#count += 1;
    if (network !== undefined) this.#byNetwork.set(network, held + 1);
    socket.once('close', () => {
      this.#count -= 1;
      if (network !== undefined) this.#release(network);
    });
  }

  #release(network: string): void {
    const held = this.#byNetwork.get(network)! - 1;
    if (held > 0) this.#byNetwork.set(network, held);
    else this.#byNetwork.delete(network);
  }

  #reserve(socket: Socket): void {
    this.#rejected.add();
    requestRejected.publish('connections');
    const [oldest] = this.#reserved;
    if (this.#reserved.size === RESERVED) {
      this.#reserved.delete(oldest!);
      oldest!.destroy();
    }
    this.#reserved.add(socket);
    socket.once('close', () => this.#reserved.delete(socket));
  }
}

/** How long a client may fetch nothing of an answer, in ms; it is found out after twice that at the latest. */
const STALLED_AFTER_MS = 5_000;

/** Cuts connections whose clients do not fetch their answers. */
export function cutStalledAnswers(server: DrainableServer, stalledAfterMs = STALLED_AFTER_MS): void {
  const cut = new LogCounter((count) =>
    new Logger('Connections').warn(`cut ${count} whose clients did not fetch their answers`),
  );
  const watched = new WeakSet<Socket>();
  const timer = setInterval(() => {
    for (const socket of server.sockets) {
      if (socket.writableLength === 0) {
        if (watched.delete(socket)) socket.resume();
        continue;
      }
      // Node's timer of a socket sees each byte that goes out, also of a large answer; but what comes in would start it anew.
      socket.pause();
      if (watched.has(socket)) continue;
      watched.add(socket);
      socket.setTimeout(stalledAfterMs);
    }
  }, stalledAfterMs / 10).unref();
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) {
      // The system would go on offering for minutes what it has taken of the answer.
      socket.resetAndDestroy();
      cut.add();
      requestRejected.publish('stalled');
      return;
    }
    // All was fetched: if it was this timer and not Node's for idle connections, the client waits for us.
    if (socket.timeout !== stalledAfterMs) socket.destroy();
  });
  server.once('close', () => {
    clearInterval(timer);
    cut.end();
  });
}
