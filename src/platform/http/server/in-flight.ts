import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { errorResponse } from '../errors/api-exception.js';
import { errorBody } from '../errors/write-error.js';
import { answered, requestRejected } from '../http-channels.js';
import type { LeanResponse } from './lean-response.js';
import { requestIdOf } from './request-line.js';
import { CONTENT_SECURITY_POLICY, linesOf, SECURITY_HEADER_LINES } from './security-headers.js';

/**
 * The requests that wait for their answer. One is in flight until its answer is given to Node, also when its client has
 * left: the work goes on.
 */
export class InFlight {
  /**
   * Each request has a slot, which is used again after it. In a Map or Set that changes with each request V8 would
   * keep requests alive that are over (docs/decisions/0065-requests-stay-young.md).
   */
  readonly #slots: (LeanResponse | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  /** The newest answer of each connection that waits behind another one. */
  readonly #pipelined = new WeakMap<Socket, LeanResponse>();
  #sequence = 0;
  #uploads = 0;

  /** `now` counts milliseconds and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many are being worked on. One whose body is still being sent is not: slow clients must not crowd others out. */
  get count(): number {
    return this.#slots.length - this.#freeSlots.length - this.#uploads;
  }

  enter(response: LeanResponse): void {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[slot] = response;
    response.observer = this;
    response.slot = slot;
    response.sequence = this.#sequence++;
    response.begunAt = this.now();
  }

  /** The client has yet to send the body. */
  uploadBegun(response: LeanResponse): void {
    if (response.slot < 0 || response.isUploading) return;
    response.isUploading = true;
    this.#uploads += 1;
  }

  /** The body is there, or will not come. */
  uploadEnded(response: LeanResponse): void {
    if (response.slot < 0 || !response.isUploading) return;
    response.isUploading = false;
    this.#uploads -= 1;
  }

  /** The answer is given to Node. */
  answered(response: LeanResponse): void {
    if (response.slot < 0) return;
    this.leave(response);
    answered.publish(response);
  }

  leave(response: LeanResponse): void {
    if (response.slot < 0) return;
    this.uploadEnded(response);
    this.#slots[response.slot] = undefined;
    this.#freeSlots.push(response.slot);
    response.slot = -1;
    // Node gives the connection to one answer after the other.
    if (response.socket === null) this.#pipelined.set(response.req.socket, response);
  }

  /** Whether an answer is given that has yet to be sent, because those before it on its connection are not given. */
  hasPipelined(socket: Socket): boolean {
    return this.#pipelined.get(socket)?.writableFinished === false;
  }

  /** Those that have waited for so many milliseconds or longer, the longest waiting first. */
  waiting(atLeast = 0): LeanResponse[] {
    const latest = this.now() - atLeast;
    return this.#slots
      .filter((response) => response !== undefined)
      .filter(({ begunAt }) => begunAt <= latest)
      .sort((one, other) => one.sequence - other.sequence);
  }
}

/** Probes are always answered: a busy process must not be taken for a dead one. */
const PROBE = /^\/(?:livez|readyz)(?:\?|$)/;

const OVERLOADED = errorResponse(
  'overloaded',
  'The service is at work on as many requests as it takes. Try again after the time in Retry-After.',
);

const { contentType, body } = errorBody(OVERLOADED);
const CONTENT_LENGTH = Buffer.byteLength(body);
/** Written once and sent many times: under overload a rejection must cost next to nothing. */
const HEADER_LINES =
  SECURITY_HEADER_LINES +
  linesOf([
    CONTENT_SECURITY_POLICY,
    ...Object.entries({ ...OVERLOADED.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' }),
  ]);

/** Lets only so many requests in at a time. The others are rejected at once, while those inside go on at full speed. */
export class Admission {
  /** To be ended when the server has closed. */
  readonly rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.maxInFlight} in flight`),
  );

  constructor(
    private readonly inFlight: InFlight,
    private readonly maxInFlight: number,
  ) {}

  /** Rejects a request if there are enough. @returns whether it did */
  rejects(response: LeanResponse): boolean {
    if (this.inFlight.count < this.maxInFlight || PROBE.test(response.req.url!)) return false;
    response.fixedHeaderLines = HEADER_LINES;
    response.statusCode = OVERLOADED.status;
    response.setHeader('X-Request-Id', requestIdOf(response.req));
    response.setHeader('Content-Length', CONTENT_LENGTH);
    response.end(body);
    this.rejected.add();
    requestRejected.publish('overloaded');
    return true;
  }
}
