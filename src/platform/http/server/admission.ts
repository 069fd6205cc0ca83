import { AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { Clients, type WaitingClient } from '../clients.js';
import { errorResponse } from '../errors/api-exception.js';
import { errorBody } from '../errors/write-error.js';
import { requestRejected } from '../http-channels.js';
import type { InFlight } from './in-flight.js';
import type { Client, LeanResponse } from './lean-response.js';
import { PROBE } from './request-line.js';
import { linesOf, SECURITY_HEADER_LINES } from './security-headers.js';

const OVERLOADED = errorResponse(
  'overloaded',
  'The service is at work on as many requests as it takes. Try again after the time in Retry-After.',
);
const { contentType, body } = errorBody(OVERLOADED);
const CONTENT_LENGTH = Buffer.byteLength(body);
/** Written once and sent many times: under overload a rejection must cost next to nothing. */
const HEADER_LINES =
  SECURITY_HEADER_LINES +
  linesOf(
    Object.entries({ ...OVERLOADED.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' }),
  );

/** So many requests may wait for each that may be at work: those of a burst, or, under overload, what keeps the work going. */
const LINE_OF_BURST = 8;
const LINE_UNDER_OVERLOAD = 0.5;
const LOOK_EVERY_MS = 100;
/** Under pressure the line is full, and so many times as many requests come as are answered; after so many looks it is overload. */
const PRESSURE = 1.25;
const OVERLOAD_AFTER_LOOKS = 2;
/**
 * Under overload so many may be at work for each that was answered since the last look: by Little's law each is answered
 * within 150 ms. But never fewer than this part of all places: less work would not make the database faster.
 */
const AT_WORK_PER_ANSWER = 1.5;
const LEAST_PLACES = 0.25;
/** How long a request of the burst that became an overload may have waited. */
const PATIENCE_MS = 50;

/**
 * Lets so many requests be at work at a time; those that can be answered soon wait in line, the others are rejected at once.
 * A client, which is a caller or else an address, may have as many requests at work, and as many in line, as there are
 * places left: one alone takes half of all, two a third each, and somebody new always finds some (dynamic thresholds,
 * Choudhury and Hahne 1998). Whoever waits gets the next place in turn, client by client.
 */
export class Admission {
  readonly #clients = new Clients();
  /** Those with requests in line, whose turn it is first. */
  readonly #turns = new Set<WaitingClient>();
  #inLine = 0;
  #isDraining = false;
  /** Since the last look. */
  #came = 0;
  #done = 0;
  #foundNoPlace = 0;
  /** Grows with each look under pressure, and shrinks with each other one. */
  #looksUnderPressure = 0;
  /** So many may be at work now. */
  #places: number;
  readonly #rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.inFlight.count} in flight`),
  );

  constructor(
    private readonly inFlight: InFlight,
    private readonly maxInFlight: number,
  ) {
    this.#places = maxInFlight;
    inFlight.onPlaceFree = (response) => this.#placeFree(response);
  }

  /** Looks after the line until the server has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
      this.#rejected.end();
    });
  }

  /** Calls `work` at once, or when it is the turn of the request, or rejects it. */
  enter(response: LeanResponse, work: (response: LeanResponse) => void): void {
    const { inFlight } = this;
    if (PROBE.test(response.req.url!)) {
      inFlight.enter(response);
      work(response);
      return;
    }
    this.#came += 1;
    const client = this.#clients.of(response.req as Request);
    if (client.line.length === 0 && this.#hasPlace(client)) {
      inFlight.enter(response, client);
      work(response);
      return;
    }
    if (client.line.length >= this.#maxInLine - this.#inLine) {
      this.#foundNoPlace += 1;
      this.#reject(response);
      return;
    }
    inFlight.enterLine(response, client);
    // Begun by the end of another request, but not part of it.
    client.line.push({ response, work: AsyncResource.bind(() => work(response)) });
    this.#inLine += 1;
    this.#turns.add(client);
  }

  /** Whether more requests come than are answered, and have done so for a while. */
  get isOverloaded(): boolean {
    return this.#looksUnderPressure >= OVERLOAD_AFTER_LOOKS;
  }

  /** To be called regularly. */
  look(): void {
    const isUnderPressure = this.#foundNoPlace > 0 && this.#came > PRESSURE * this.#done;
    const change = isUnderPressure ? 1 : -1;
    this.#looksUnderPressure = clamp(this.#looksUnderPressure + change, 0, 2 * OVERLOAD_AFTER_LOOKS);
    this.#places = this.isOverloaded
      ? clamp(AT_WORK_PER_ANSWER * this.#done, LEAST_PLACES * this.maxInFlight, this.maxInFlight)
      : this.maxInFlight;
    this.#came = this.#done = this.#foundNoPlace = 0;
    this.inFlight.setUploadsAside();
    if (this.isOverloaded) this.#rejectOldest();
    this.#clients.forgetIdle();
  }

  get #maxInLine(): number {
    return this.#places * (this.isOverloaded ? LINE_UNDER_OVERLOAD : LINE_OF_BURST);
  }

  #hasPlace({ atWork }: Client): boolean {
    return atWork < this.#places - this.inFlight.count;
  }

  #placeFree({ req: request, client }: LeanResponse): void {
    this.#done += 1;
    if (!(client as WaitingClient).isKnown) this.#clients.learn(request as Request);
    if (this.#inLine === 0 || this.#isDraining) return;
    this.#isDraining = true;
    queueMicrotask(() => {
      this.#isDraining = false;
      this.#callNext();
    });
  }

  #callNext(): void {
    for (const client of this.#turns) {
      if (this.inFlight.count >= this.#places) return;
      if (!this.#hasPlace(client)) continue;
      const { response, work } = client.line.shift()!;
      this.#leaveLine(client);
      // Behind all others that wait; a Set comes to it again in this very loop.
      if (client.line.length > 0) this.#turns.add(client);
      // Answered by its deadline, or given up by its client.
      if (response.slot < 0) continue;
      if (response.req.socket.destroyed) {
        this.inFlight.leave(response);
        continue;
      }
      this.inFlight.resume(response);
      work();
    }
  }

  #leaveLine(client: WaitingClient): void {
    this.#inLine -= 1;
    this.#turns.delete(client);
  }

  #rejectOldest(): void {
    const latest = this.inFlight.now() - PATIENCE_MS;
    for (const client of this.#turns) {
      while (client.line.length > 0 && client.line[0]!.response.begunAt < latest) {
        const { response } = client.line.shift()!;
        this.#inLine -= 1;
        if (response.slot < 0) continue;
        this.inFlight.leave(response);
        this.#reject(response);
      }
      if (client.line.length === 0) this.#turns.delete(client);
    }
  }

  #reject(response: LeanResponse): void {
    response.fixedHeaderLines = HEADER_LINES;
    response.statusCode = OVERLOADED.status;
    response.setHeader('Content-Length', CONTENT_LENGTH);
    response.end(body);
    this.#rejected.add();
    requestRejected.publish('overloaded');
  }
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(least, value), most);
