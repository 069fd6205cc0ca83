import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { answered } from '../http-channels.js';
import type { Client, LeanResponse, WaitsFor } from './lean-response.js';

/**
 * The requests without an answer. A request is in flight until its answer was handed to Node, even if its client has left,
 * because the work continues.
 */
export class InFlight {
  /**
   * Each request has a slot, which is reused afterwards. With a Map or Set that changes with each request V8 would keep
   * finished requests alive (docs/decisions/0065-requests-stay-young.md).
   */
  readonly #slots: (LeanResponse | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  /** The latest answer of each connection that waits for an earlier one. */
  readonly #pipelined = new WeakMap<Socket, LeanResponse>();
  #sequence = 0;
  #aside = 0;
  /** Called when a request stops occupying a place. */
  onPlaceFree: (response: LeanResponse) => void = () => undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** The number of requests in work, without those that wait for their turn, their body or a delay. */
  get count(): number {
    return this.#slots.length - this.#freeSlots.length - this.#aside;
  }

  enter(response: LeanResponse, client: Client = { atWork: 0 }): void {
    this.#note(response, client);
    client.atWork += 1;
  }

  /** Adds a request that waits for its turn. */
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

  /** Frees the place of a request that waits. */
  setAside(response: LeanResponse, waitsFor: WaitsFor): void {
    if (response.slot < 0 || response.waitsFor) return;
    response.waitsFor = waitsFor;
    this.#aside += 1;
    response.client!.atWork -= 1;
    this.onPlaceFree(response);
  }

  /** Takes a place again, even if none is free. */
  resume(response: LeanResponse): void {
    if (response.slot < 0 || !response.waitsFor) return;
    response.waitsFor = undefined;
    this.#aside -= 1;
    response.client!.atWork += 1;
  }

  /** Sets requests aside whose body is still being sent, which may take seconds, so that slow clients do not block others. */
  setUploadsAside(): void {
    for (const response of this.#slots) {
      if (!response) continue;
      if (isUploading(response.req)) this.setAside(response, 'body');
      else if (response.waitsFor === 'body') this.resume(response);
    }
  }

  /** The answer was handed to Node. */
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
    // Node assigns the connection to one answer after the other.
    if (response.socket === null) this.#pipelined.set(response.req.socket, response);
    if (wasAtWork) this.onPlaceFree(response);
  }

  /** Whether a finished answer has to wait for earlier ones on its connection. */
  hasPipelined(socket: Socket): boolean {
    return this.#pipelined.get(socket)?.writableFinished === false;
  }

  /** The requests that have waited for at least so many milliseconds, the oldest first. */
  waiting(atLeast = 0): LeanResponse[] {
    const latest = this.now() - atLeast;
    return this.#slots
      .filter((response) => response !== undefined)
      .filter(({ begunAt }) => begunAt <= latest)
      .sort((one, other) => one.sequence - other.sequence);
  }
}

/** Whether the body is being read and has not completely arrived. */
export const isUploading = (request: IncomingMessage) =>
  !request.complete && request.readableFlowing === true;
