import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { answered } from '../http-channels.js';
import type { Client, LeanResponse, WaitsFor } from './lean-response.js';

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
  #aside = 0;
  /** Called whenever one of the requests at work is no longer that. */
  onPlaceFree: (response: LeanResponse) => void = () => undefined;

  /** `now` counts milliseconds and never goes back. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** How many are being worked on: those that wait for their turn, their body or a delay take no place from others. */
  get count(): number {
    return this.#slots.length - this.#freeSlots.length - this.#aside;
  }

  enter(response: LeanResponse, client: Client = { atWork: 0 }): void {
    this.#note(response, client);
    client.atWork += 1;
  }

  /** Notes a request that waits for its turn. */
  enterLine(response: LeanResponse, client: Client): void {
    this.#note(response, client);
    response.waitsFor = 'turn';
    this.#aside += 1;
  }

  #note(response: LeanResponse, client: Client): void {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[slot] = response;
    response.observer = this;
    response.slot = slot;
    response.sequence = this.#sequence++;
    response.begunAt = this.now();
    response.client = client;
  }

  /** Lets a request wait without a place. */
  setAside(response: LeanResponse, waitsFor: WaitsFor): void {
    if (response.slot < 0 || response.waitsFor) return;
    response.waitsFor = waitsFor;
    this.#aside += 1;
    response.client!.atWork -= 1;
    this.onPlaceFree(response);
  }

  /** Gives it a place again, even if there is none. */
  resume(response: LeanResponse): void {
    if (response.slot < 0 || !response.waitsFor) return;
    response.waitsFor = undefined;
    this.#aside -= 1;
    response.client!.atWork += 1;
  }

  /** Sets aside whose body is still on its way, which may take seconds: slow clients must not crowd others out. */
  setUploadsAside(): void {
    for (const response of this.#slots) {
      if (!response) continue;
      if (isUploading(response.req)) this.setAside(response, 'body');
      else if (response.waitsFor === 'body') this.resume(response);
    }
  }

  /** The answer is given to Node. */
  answered(response: LeanResponse): void {
    if (response.slot < 0) return;
    this.leave(response);
    answered.publish(response);
  }

  leave(response: LeanResponse): void {
    if (response.slot < 0) return;
    const wasAtWork = !response.waitsFor;
    this.resume(response);
    response.client!.atWork -= 1;
    this.#slots[response.slot] = undefined;
    this.#freeSlots.push(response.slot);
    response.slot = -1;
    // Node gives the connection to one answer after the other.
    if (response.socket === null) this.#pipelined.set(response.req.socket, response);
    if (wasAtWork) this.onPlaceFree(response);
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

/** Whether the body is being read and the client has not sent all of it. */
export const isUploading = (request: IncomingMessage) =>
  !request.complete && request.readableFlowing === true;
