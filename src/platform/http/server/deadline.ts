import type { IncomingMessage, Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { ApiException } from '../errors/api-exception.js';
import { wantsProblem } from '../errors/wants-problem.js';
import { writeError } from '../errors/write-error.js';
import { requestLogFields } from '../../observability/logging/request-log.js';
import type { InFlight } from './in-flight.js';
import type { LeanResponse } from './lean-response.js';
import { requestRejected } from './server-channels.js';

/** How often the requests in flight are looked at, in ms. A timer for each would cost more than most requests. */
const CHECK_EVERY_MS = 100;

/** Answers requests that nobody has answered in time, whatever is still at work on them. */
export class Deadline {
  readonly #log = new Logger('Deadline');

  /** `longest` is in ms, from the moment when the headers were read. */
  constructor(
    private readonly inFlight: InFlight,
    private readonly longest: number,
  ) {}

  /** Looks after the requests of a server until it has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.endOverdue(), CHECK_EVERY_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  endOverdue(): void {
    for (const response of this.inFlight.waiting(this.longest)) this.#end(response);
  }

  /** Waits for none of those in flight any longer. */
  endAll(): void {
    for (const response of this.inFlight.waiting()) this.#end(response);
  }

  #end(response: LeanResponse): void {
    const request = response.req as Request;
    if (request.socket.destroyed || response.headersSent) this.inFlight.leave(response);
    else if (!isWaitedFor(request)) {
      requestRejected.publish('deadline');
      response.preempt(() => {
        answerTimeout(response);
        this.#log.warn('timeout: the answer took too long', requestLogFields(response));
      });
    }
  }
}

/** Whether somebody reads the body and the client has not sent all of it: then the client is late, and Node answers 408. */
const isWaitedFor = (request: IncomingMessage) => !request.complete && request.readableFlowing === true;

function answerTimeout(response: LeanResponse): void {
  const request = response.req as Request;
  // What is left of a body that nobody read would have to be read before the next request.
  if (!request.complete) response.shouldKeepAlive = false;
  const refusal = new ApiException('timeout', MESSAGE);
  writeError(response, refusal, wantsProblem(request), request.path);
}

const MESSAGE =
  'The answer took too long; what was asked for may still be done. Try again after the time in Retry-After, a POST with an Idempotency-Key.';
