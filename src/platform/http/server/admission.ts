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
  'The service is at its limit of concurrent requests. Try again after the time in Retry-After.',
);
const { contentType, body } = errorBody(OVERLOADED);
const CONTENT_LENGTH = Buffer.byteLength(body);
/** Built once for all rejections, which must be cheap under overload. */
const HEADER_LINES =
  SECURITY_HEADER_LINES +
  linesOf(
    Object.entries({ ...OVERLOADED.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' }),
  );

/** The length of the line for each place: for bursts, and under overload, where it only keeps the places occupied. */
const LINE_OF_BURST = 8;
const LINE_UNDER_OVERLOAD = 0.5;
const ADJUST_EVERY_MS = 100;
/** Pressure: the line is full, and so many times more requests come than are answered. After so many checks: overload. */
const PRESSURE = 1.25;
const OVERLOAD_AFTER_ROUNDS = 2;
/**
 * Under overload, the number of places for each request that was answered since the last check: by Little's law each is
 * answered within 150 ms. Never fewer than this share of all places: less work would not make the database faster.
 */
const AT_WORK_PER_ANSWER = 1.5;
const MIN_PLACES = 0.25;
/** The longest wait of requests that are still served when a burst turns out to be an overload. */
const MAX_WAIT_MS = 50;

/**
 * Limits the number of requests in work. Requests that can be answered soon wait in line; others are rejected at once. A client
 * (a caller, or else an address) may have as many requests in work, and as many in line, as there are free places: a single
 * client gets half of all places, two get a third each, and a new client always finds some (dynamic thresholds, Choudhury and
 * Hahne 1998). Free places go to the waiting clients in turn.
 */
export class Admission {
  readonly #clients = new Clients();
  /** Clients with requests in line; the next one in turn is first. */
  readonly #turns = new Set<WaitingClient>();
  #inLine = 0;
  #isDraining = false;
  /** Counted since the last check. */
  #arrived = 0;
  #done = 0;
  #foundNoPlace = 0;
  /** Incremented by each check under pressure, decremented by each other one. */
  #roundsUnderPressure = 0;
  /** The current number of places. */
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

  /** Checks the load regularly until the server has closed. */
  watch(server: Server): void {
    const timer = setInterval(() => this.adjust(), ADJUST_EVERY_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
      this.#rejected.end();
    });
  }

  /** Calls `work` now or when it is the request's turn, or rejects the request. */
  enter(response: LeanResponse, work: (response: LeanResponse) => void): void {
    const { inFlight } = this;
    if (PROBE.test(response.req.url!)) {
      inFlight.enter(response);
      work(response);
      return;
    }
    this.#arrived += 1;
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
    // It starts when another request ends, but must not run in the async context of that one.
    client.line.push({ response, work: AsyncResource.bind(() => work(response)) });
    this.#inLine += 1;
    this.#turns.add(client);
  }

  /** Whether more requests come than can be answered, for some time. */
  get isOverloaded(): boolean {
    return this.#roundsUnderPressure >= OVERLOAD_AFTER_ROUNDS;
  }

  /** Adjusts the number of places to the load since the last call. To be called regularly. */
  adjust(): void {
    const isUnderPressure = this.#foundNoPlace > 0 && this.#arrived > PRESSURE * this.#done;
    const change = isUnderPressure ? 1 : -1;
    this.#roundsUnderPressure = clamp(this.#roundsUnderPressure + change, 0, 2 * OVERLOAD_AFTER_ROUNDS);
    this.#places = this.isOverloaded
      ? clamp(AT_WORK_PER_ANSWER * this.#done, MIN_PLACES * this.maxInFlight, this.maxInFlight)
      : this.maxInFlight;
    this.#arrived = this.#done = this.#foundNoPlace = 0;
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
      // To the end of the line. The running loop over the Set will reach it again.
      if (client.line.length > 0) this.#turns.add(client);
      // It was answered by the deadline, or its client has left.
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
    const latest = this.inFlight.now() - MAX_WAIT_MS;
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
