import { AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { LogCounter } from '../../observability/logging/log-counter.js';
import { callerId } from '../caller.js';
import { networkOf } from '../client-network.js';
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
/** How long a request of the burst that became an overload may have waited. */
const PATIENCE_MS = 50;
/** So many clients, and so many headers that tell who sends them, are remembered. */
const MAX_REMEMBERED = 10_000;

interface WaitingClient extends Client {
  readonly isKnown: boolean;
  readonly line: { readonly response: LeanResponse; readonly work: () => void }[];
}

/**
 * Lets so many requests be at work at a time; those that can be answered soon wait in line, the others are rejected at once.
 * A client, which is a caller or else an address, may have as many requests at work, and as many in line, as there are
 * places left: one alone takes half of all, two a third each, and somebody new always finds some (dynamic thresholds,
 * Choudhury and Hahne 1998). Whoever waits gets the next place in turn, client by client.
 */
export class Admission {
  readonly #clients = new Map<string, WaitingClient>();
  /** The caller by its header `Authorization`, once it was accepted; only in memory, like the header itself. */
  readonly #callers = new Map<string, string>();
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
  readonly #rejected = new LogCounter((count) =>
    new Logger('Admission').warn(`overloaded: refused ${count}, with ${this.inFlight.count} in flight`),
  );

  constructor(
    private readonly inFlight: InFlight,
    private readonly maxInFlight: number,
  ) {
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
    const client = this.#clientOf(response.req as Request);
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
    this.#looksUnderPressure = Math.min(
      Math.max(0, this.#looksUnderPressure + change),
      2 * OVERLOAD_AFTER_LOOKS,
    );
    this.#came = this.#done = this.#foundNoPlace = 0;
    this.inFlight.setUploadsAside();
    if (this.isOverloaded) this.#rejectOldest();
    if (this.#clients.size > MAX_REMEMBERED) this.#forgetClients();
  }

  get #maxInLine(): number {
    return this.maxInFlight * (this.isOverloaded ? LINE_UNDER_OVERLOAD : LINE_OF_BURST);
  }

  #hasPlace({ atWork }: Client): boolean {
    return atWork < this.maxInFlight - this.inFlight.count;
  }

  #clientOf(request: Request): WaitingClient {
    const { authorization } = request.headers;
    const caller = authorization === undefined ? undefined : this.#callers.get(authorization);
    const id = caller ?? networkOf(request.ip ?? '');
    let client = this.#clients.get(id);
    if (!client) this.#clients.set(id, (client = { isKnown: caller !== undefined, atWork: 0, line: [] }));
    return client;
  }

  #placeFree({ req: request, client }: LeanResponse): void {
    this.#done += 1;
    if (!(client as WaitingClient).isKnown) this.#learn(request as Request);
    if (this.#inLine === 0 || this.#isDraining) return;
    this.#isDraining = true;
    queueMicrotask(() => {
      this.#isDraining = false;
      this.#callNext();
    });
  }

  /** Who is accepted once has places of its own from then on, whatever others do from the same address. */
  #learn(request: Request): void {
    const caller = callerId(request);
    if (caller === undefined) return;
    this.#callers.set(request.headers.authorization!, `key ${caller}`);
    if (this.#callers.size > MAX_REMEMBERED) this.#callers.delete(this.#callers.keys().next().value!);
  }

  #callNext(): void {
    for (const client of this.#turns) {
      if (this.inFlight.count >= this.maxInFlight) return;
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

  #forgetClients(): void {
    for (const [id, client] of this.#clients)
      if (client.atWork === 0 && client.line.length === 0) this.#clients.delete(id);
  }
}
