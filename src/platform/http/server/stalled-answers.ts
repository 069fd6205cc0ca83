import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../http-channels.js';
import type { DrainableServer } from './drain.js';

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
