import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { MAX_HEADERS } from './request-line.js';
import { refused } from './server-channels.js';

/**
 * What a client may take of us without having said anything of use: bytes of address and headers together, and times in ms
 * to send its headers, to send all of the request, to send another one. A connection on which nothing ever came has no
 * longer than one whose headers do not end.
 */
export const BOUNDS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 250,
};

/** Bounds how many connections there are at a time. One too many is closed without a word: nobody has asked anything yet. */
export function boundConnections(server: Server, most: number): void {
  server.maxConnections = most;
  // Node drops what is beyond in silence; with one more than we allow it can be seen, and refused.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const dropped = new LogCounter((count) =>
    new Logger('Connections').warn(`closed ${count} at once, with ${most} open`),
  );
  server.on('drop', () => {
    dropped.add();
    refused.publish('connections');
  });
}
