import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../http-channels.js';
import { MAX_HEADERS } from './request-line.js';

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
/** Limits the number of connections. One too many is closed without an answer: nothing has been asked on it yet. */
export function limitConnections(server: Server, maxConnections: number): void {
  server.maxConnections = maxConnections;
  // Node drops what is beyond in silence; with one more than we allow it can be seen, and rejected.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const dropped = new LogCounter((count) =>
    new Logger('Connections').warn(`closed ${count} at once, with ${maxConnections} open`),
  );
  server.on('drop', () => {
    dropped.add();
    requestRejected.publish('connections');
  });
  server.once('close', () => dropped.end());
}
