import { AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { errorResponse } from '../errors/api-exception.js';
import { answerWithError } from '../errors/write-error.js';
import { requestFacts } from '../request-facts.js';
import { answered, requestRejected } from '../../observability/requests.js';
import type { PreemptibleResponse } from './preemptible-response.js';
import { isUploading, PROBE } from './request-line.js';

const OVERLOADED = errorResponse(
  'overloaded',
  'The service is at its limit of concurrent requests. Try again after the time in Retry-After.',
);

/** How many requests may wait in line for each that may be at work, and for how long under overload. */
const LINE_PER_PLACE = 8;
const MAX_WAIT_UNDER_OVERLOAD_MS = 50;
const CHECK_EVERY_MS = 100;

/** A request without an answer. They are a linked list: a Map would keep answered ones alive (docs/decisions/0052-shared-work.md). */
export class Flight {
  state: 'uncounted' | 'in line' | 'at work' | 'sends its body' | 'over' = 'uncounted';
  previous: Flight | undefined;
  next: Flight | undefined;
  /** Of a request in line. */
  start = () => {};
  waitsUntil = 0;

  constructor(
    readonly response: PreemptibleResponse,
    readonly begunAt: number,
    private readonly inFlight: InFlight,
  ) {}

  /** Its answer was handed to Node. */
  answered(): void {
    if (this.state === 'over') return;
    this.leave();
    if (answered.hasSubscribers) answered.publish(requestFacts(this.response));
  }

  /** It gets no answer any more. */
  leave(): void {
    this.inFlight.remove(this);
  }
}

/**
 * The requests without an answer. At most so many are at work; others wait in one line, and are rejected if it is full or their
 * turn does not come in time. A burst may wait for half of the time in which a request is to be answered. When the line has not
 * been empty for half of that, or somebody was rejected meanwhile, there is overload: those who arrive then wait briefly, so that
 * answers stay fast (after B. Maurer, "Fail at Scale", ACM Queue 13.8, 2015: controlled delay; a batch that ends empties the line
 * also under overload). Probes are always admitted. A request stays in flight when its client has left: its work continues.
 */
export class InFlight {
  #first: Flight | undefined;
  #last: Flight | undefined;
  #line: Flight[] = [];
  #lineWasEmptyAt = 0;
  #rejectedAt = Number.NEGATIVE_INFINITY;
  #atWork = 0;
  /** The latest answer of each connection that waits for an earlier one. */
  readonly #pipelined = new WeakMap<Socket, PreemptibleResponse>();
  readonly #rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.#atWork} in flight`),
  );

  /** `timeout` is the time in which a request is to be answered, in ms. `now` returns milliseconds of a monotonic clock. */
  constructor(
    private readonly maxAtWork: number,
    private readonly timeout: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Checks those who wait regularly until the server has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
      this.#rejected.end();
    });
  }

  /** Calls `work` now or when it is the request's turn, or rejects the request. */
  enter(response: PreemptibleResponse, work: (response: PreemptibleResponse) => void): void {
    const flight = this.#add(response);
    const isProbe = PROBE.test(response.req.url ?? '');
    if (isProbe || (this.#line.length === 0 && this.#atWork < this.maxAtWork)) {
      if (!isProbe) this.#begin(flight);
      work(response);
    } else if (this.#line.length < LINE_PER_PLACE * this.maxAtWork) this.#enterLine(flight, work);
    else this.#reject(flight);
  }

  /** The number of requests at work. */
  get count(): number {
    return this.#atWork;
  }

  /** The requests that have waited for at least so many milliseconds, the oldest first. */
  waiting(atLeast = 0): Flight[] {
    const latest = this.now() - atLeast;
    const found = [];
    for (let flight = this.#first; flight && flight.begunAt <= latest; flight = flight.next)
      found.push(flight);
    return found;
  }

  /** Whether a finished answer has to wait for earlier ones on its connection. */
  hasPipelined(socket: Socket): boolean {
    return this.#pipelined.get(socket)?.writableFinished === false;
  }

  /** To be called regularly: rejects those whose turn did not come, and lets no client occupy a place by sending slowly. */
  check(): void {
    for (const flight of this.waiting(CHECK_EVERY_MS)) {
      if (flight.state === 'at work' && isUploading(flight.response.req)) {
        flight.state = 'sends its body';
        this.#free();
      } else if (flight.state === 'sends its body' && !isUploading(flight.response.req)) {
        this.#begin(flight);
      }
    }
    this.#line = this.#line.filter((flight) => this.#stillWaits(flight));
  }

  remove(flight: Flight): void {
    const { response, state, previous, next } = flight;
    if (state === 'over') return;
    flight.state = 'over';
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    flight.previous = flight.next = undefined;
    // Node assigns the connection to one answer after the other.
    if (response.socket === null) this.#pipelined.set(response.req.socket, response);
    if (state === 'at work') this.#free();
  }

  #add(response: PreemptibleResponse): Flight {
    const flight = new Flight(response, this.now(), this);
    response.observer = flight;
    if (this.#last) this.#last.next = flight;
    else this.#first = flight;
    flight.previous = this.#last;
    return (this.#last = flight);
  }

  #begin(flight: Flight): void {
    flight.state = 'at work';
    this.#atWork += 1;
  }

  #enterLine(flight: Flight, work: (response: PreemptibleResponse) => void): void {
    const { begunAt } = flight;
    const maxWait = this.timeout / 2;
    if (this.#line.length === 0) this.#lineWasEmptyAt = begunAt;
    const isOverloaded =
      begunAt - this.#lineWasEmptyAt > maxWait / 2 || begunAt - this.#rejectedAt < maxWait / 2;
    flight.state = 'in line';
    flight.waitsUntil = begunAt + (isOverloaded ? MAX_WAIT_UNDER_OVERLOAD_MS : maxWait);
    // It begins when another request ends, but must not run in the async context of that one.
    flight.start = AsyncResource.bind(() => work(flight.response));
    this.#line.push(flight);
  }

  /** A place is free. The next request begins in the next turn of the event loop, so that a long line does not block sockets. */
  #free(): void {
    this.#atWork -= 1;
    if (this.#line.length > 0) setImmediate(() => this.#callNext());
  }

  #callNext(): void {
    while (this.#atWork < this.maxAtWork && this.#line.length > 0) {
      const flight = this.#line.shift()!;
      if (!this.#stillWaits(flight)) continue;
      this.#begin(flight);
      flight.start();
    }
  }

  /** Whether a request in line waits for its turn; if its client has left or its time is over, no longer. */
  #stillWaits(flight: Flight): boolean {
    if (flight.response.req.socket.destroyed) flight.leave();
    else if (flight.state !== 'over' && flight.waitsUntil <= this.now()) this.#reject(flight);
    return flight.state !== 'over';
  }

  #reject({ response }: Flight): void {
    this.#rejectedAt = this.now();
    this.#rejected.add();
    requestRejected.publish('overloaded');
    answerWithError(response.req as Request, response, OVERLOADED);
  }
}
