import type { Socket } from 'node:net';
import { answered } from '../http-channels.js';
import type { LeanResponse } from './lean-response.js';

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
