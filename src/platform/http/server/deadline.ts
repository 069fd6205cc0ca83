import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { requestFacts } from '../request-facts.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';
import { requestRejected } from '../../observability/requests.js';
import type { Flight, InFlight } from './in-flight.js';
import { isUploading } from './request-line.js';

/** The interval of checks. A timer for each request would cost more than most requests do. */
const CHECK_EVERY_MS = 100;

const TIMEOUT = errorResponse(
  'timeout',
  'The answer took too long; what was asked for may still be done. Try again after the time in Retry-After, a POST with an Idempotency-Key.',
);

/** Answers requests that were not answered in time. Their handlers keep running. */
export class Deadline {
  readonly #log = new Logger('Deadline');

  /** The time of a request starts when its headers were read. */
  constructor(
    private readonly inFlight: InFlight,
    private readonly timeoutMs: number,
  ) {}

  /** Checks the requests of a server regularly until it has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.endOverdue(), CHECK_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  endOverdue(): void {
    for (const flight of this.inFlight.waiting(this.timeoutMs)) this.#end(flight);
  }

  /** Answers all requests in flight, however recent. */
  endAll(): void {
    for (const flight of this.inFlight.waiting()) this.#end(flight);
  }

  #end(flight: Flight): void {
    const { response } = flight;
    const request = response.req as Request;
    if (request.socket.destroyed || response.headersSent) flight.leave();
    // A client that is still sending its body is late itself; Node answers 408.
    else if (!isUploading(request)) {
      requestRejected.publish('deadline');
      response.preempt(() => {
        // Otherwise the rest of the body would have to be read before the next request.
        if (!request.complete) response.shouldKeepAlive = false;
        answerWithError(request, response, TIMEOUT);
        this.#log.warn('timeout: the answer took too long', requestFacts(response));
      });
    }
  }
}
