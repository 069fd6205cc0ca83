import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { requestRejected } from '../../observability/requests.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';

/** The number of requests that may wait for each request that may be in progress, and the longest time that they wait. */
const LINE_PER_PLACE = 8;
// ensures: a request waits for at most a second
const LONGEST_WAIT_MS = 1_000;

/** Probes are always answered, because an orchestrator must not take a busy process for a dead one. */
const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;
const OVERLOADED = errorResponse(
  'overloaded',
  'The service is at its limit of concurrent requests. Try again after the time in `Retry-After`.',
);

/**
 * Limits the number of requests in progress. Further requests wait in one line. A request is rejected if the line is full, or if its
 * turn does not come in time.
 */
export class Admission {
  /** The number of requests in progress. */
  count = 0;
  readonly #line: (() => void)[] = [];
  readonly refused = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.count} in flight`),
  );

  constructor(private readonly most: number) {}

  /** Calls `work` now or when it is the request's turn, or rejects the request. */
  enter(response: ServerResponse, work: () => void): void {
    // ensures: requests begin in the order of arrival
    const mustWait = this.#line.length > 0 || this.count >= this.most;
    if (PROBE.test(response.req.url ?? '')) work();
    else if (!mustWait) this.#begin(response, work);
    else if (this.#line.length < LINE_PER_PLACE * this.most) this.#wait(response, work);
    else this.#refuse(response);
  }

  #begin(response: ServerResponse, work: () => void): void {
    this.count += 1;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      this.count -= 1;
      // The next turn of the event loop calls it, so that a long line does not block sockets.
      if (this.#line.length > 0) setImmediate(() => this.#callNext());
    };
    // Node has taken over the whole response.
    response.on('prefinish', leave);
    // ensures: a client that leaves frees its slot
    response.on('close', leave);
    work();
  }

  #wait(response: ServerResponse, work: () => void): void {
    const { socket } = response.req;
    const timer = setTimeout(() => {
      // All requests wait equally long, so this one is the first.
      this.#line.shift();
      if (socket.writable) this.#refuse(response);
    }, LONGEST_WAIT_MS);
    // Its turn comes when another request ends, but it must not run in the async context of that request.
    const begin = AsyncResource.bind(() => {
      clearTimeout(timer);
      if (socket.writable) this.#begin(response, work);
    });
    this.#line.push(begin);
  }

  #callNext(): void {
    while (this.count < this.most && this.#line.length > 0) this.#line.shift()!();
  }

  #refuse(response: ServerResponse): void {
    this.refused.add();
    requestRejected.publish('overloaded');
    answerWithError(response, OVERLOADED);
  }
}
