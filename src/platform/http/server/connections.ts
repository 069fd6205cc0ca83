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
 * The limits of a connection: bytes of address and headers together, and ms to send the headers, to send the whole request, and
 * to send the next request. The limit for headers also applies to a connection that sends nothing.
 */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 250,
};
/** The number of additional connections, for probes only. */
const RESERVED = 64;

const TOO_MANY_CONNECTIONS = errorResponse(
  'overloaded',
  'The service is at its limit of connections. Try again after the time in Retry-After.',
);

/**
 * Limits the number of connections, and each client to as many as are still free: a client that takes all it can get leaves
 * half of them, the next one a quarter. Connections beyond that are reserved for probes, because a busy process must not be
 * mistaken for a dead one; if there are too many of these, a new one replaces the oldest.
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

  /** Counts the connections of a server until it has closed. */
  watch(server: Server): void {
    // Node silently drops headers beyond this number. With one more than we allow, the excess is visible and can be rejected.
    server.maxHeadersCount = MAX_HEADERS + 1;
    server.on('connection', (socket) => this.#admit(socket));
    server.once('close', () => this.#rejected.end());
  }

  /** Rejects a request other than a probe on a connection that is reserved for probes. @returns whether it did */
  rejects(response: LeanResponse): boolean {
    if (this.#reserved.size === 0 || !this.#reserved.has(response.req.socket)) return false;
    response.shouldKeepAlive = false;
    if (PROBE.test(response.req.url!)) return false;
    writeError(response, TOO_MANY_CONNECTIONS);
    return true;
  }

  #admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    // All clients of a proxy share its address.
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

/** How long a client may read nothing of an answer, in ms; detected after twice this time at most. */
const STALLED_AFTER_MS = 5_000;

/** Closes connections whose clients do not read their answers. */
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
      // The timer of a socket is reset by every byte sent, as wanted, but also by every byte received.
      socket.pause();
      if (watched.has(socket)) continue;
      watched.add(socket);
      socket.setTimeout(stalledAfterMs);
    }
  }, stalledAfterMs / 10).unref();
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) {
      // After a normal close the system would keep trying to deliver the rest of the answer for minutes.
      socket.resetAndDestroy();
      cut.add();
      requestRejected.publish('stalled');
      return;
    }
    // All data was read. If this is our timer, and not Node's for idle connections, the client is waiting for us.
    if (socket.timeout !== stalledAfterMs) socket.destroy();
  });
  server.once('close', () => {
    clearInterval(timer);
    cut.end();
  });
}
