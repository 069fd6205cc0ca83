import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../../observability/requests.js';
import type { DrainableServer } from './drain.js';
import type { InFlight } from './in-flight.js';
import { isUploading, MAX_HEADERS } from './request-line.js';

/**
 * The limits of a connection: bytes of address and headers together, and ms to send the headers and to send the whole request. The limit for headers also applies to a connection that sends nothing.
 */
export const CONNECTION_LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  connectionsCheckingInterval: 250,
};

/** How many connections are closed at once to make room: looking for the idle ones is expensive. */
const SHARE_CLOSED = 0.01;

/** Files of the database, its connections, the log: what the process may open besides connections of clients. */
const OTHER_FILES = 128;

/** As many connections as are wanted, or as many as the process may have open files (`ulimit -n`). */
export function possibleConnections(wanted: number, openFiles = maxOpenFiles()): number {
  const possible = Math.max(1, openFiles - OTHER_FILES);
  if (wanted <= possible) return wanted;
  new Logger('Connections').warn(
    `MAX_CONNECTIONS is ${wanted}, but the process may open only ${openFiles} files: at most ${possible} connections. Raise the limit (ulimit -n, LimitNOFILE).`,
  );
  return possible;
}

function maxOpenFiles(): number {
  const report = process.report.getReport() as {
    readonly userLimits: { readonly open_files: { readonly soft: number | 'unlimited' } };
  };
  const { soft } = report.userLimits.open_files;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/**
 * Limits the number of connections. For a new one those that have been idle for longest are closed: those without a request in
 * work, which also are those whose client does not send or fetch. If there are none, the new one is closed.
 */
export function limitConnections(server: DrainableServer, maxConnections: number, inFlight: InFlight): void {
  // Node silently drops headers beyond this number. With one more than we allow, the excess is visible and can be rejected.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const closed = new LogCounter((count) =>
    new Logger('Connections').warn(`closed ${count} to make room, with ${maxConnections} open`),
  );
  server.once('close', () => closed.end());
  server.on('connection', (socket) => {
    if (server.sockets.size <= maxConnections) return;
    const working = inFlight.waiting().filter(({ response }) => !isUploading(response.req));
    const busy = new Set(working.map(({ response }) => response.req.socket));
    const idle = [...server.sockets].filter(([other]) => other !== socket && !busy.has(other));
    const longest = idle
      .sort(([, one], [, other]) => one - other)
      .slice(0, Math.ceil(maxConnections * SHARE_CLOSED));
    for (const [one] of longest.length > 0 ? longest : [[socket] as const]) {
      server.sockets.delete(one);
      one.destroy();
      closed.add();
      requestRejected.publish('connections');
    }
  });
}

/**
 * How long a client may read nothing of an answer, in ms; detected after twice this time at most. No whole number, so that it
 * differs from every time for which Node keeps idle connections.
 */
const STALLED_AFTER_MS = 5_000.5;

/** Closes connections whose clients do not read their answers. */
export function cutStalledAnswers(server: DrainableServer, stalledAfterMs = STALLED_AFTER_MS): void {
  const cut = new LogCounter((count) =>
    new Logger('Connections').warn(`cut ${count} whose clients did not fetch their answers`),
  );
  const watched = new WeakSet<Socket>();
  const timer = setInterval(() => {
    for (const socket of server.sockets.keys()) {
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
