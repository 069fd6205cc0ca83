import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { requestLogFields } from '../../observability/logging/request-log.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';
import { requestRejected } from '../http-channels.js';
import { type InFlight, isUploading } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';

/** How often the requests in flight are looked at. A timer for each would cost more than most requests. */
const CHECK_EVERY_MS = 100;

const TIMEOUT = errorResponse(
  'timeout',
  'The answer took too long; what was asked for may still be done. Try again after the time in Retry-After, a POST with an Idempotency-Key.',
);

/** Answers requests that were not answered in time. Their handlers go on. */
export class Deadline {
  readonly #log = new Logger('Deadline');

  /** The time begins when the headers were read. */
  constructor(
    private readonly inFlight: InFlight,
    private readonly timeoutMs: number,
  ) {}

  /** Looks after the requests of a server until it has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.endOverdue(), CHECK_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  endOverdue(): void {
    for (const response of this.inFlight.waiting(this.timeoutMs)) this.#end(response);
  }

  /** Ends all requests in flight, however short they have been waiting. */
  endAll(): void {
    for (const response of this.inFlight.waiting()) this.#end(response);
  }

  #end(response: LeanResponse): void {
    const request = response.req as Request;
    if (request.socket.destroyed || response.headersSent) this.inFlight.leave(response);
    // A client that is still sending its body is late itself, and Node answers 408.
    else if (!isUploading(request)) {
      requestRejected.publish('deadline');
      response.preempt(() => {
        // The rest of an unread body would have to be read before the next request.
        if (!request.complete) response.shouldKeepAlive = false;
        answerWithError(request, response, TIMEOUT);
        this.#log.warn('timeout: the answer took too long', requestLogFields(response));
      });
    }
  }
}
