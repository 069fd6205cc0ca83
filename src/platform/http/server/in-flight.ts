import type { Socket } from 'node:net';
import type { LeanResponse } from './lean-response.js';
import { answered } from './server-channels.js';

interface Visit {
  readonly response: LeanResponse;
  readonly number: number;
  uploading: boolean;
}

/**
 * The requests that wait for their answer. One is in flight until its answer is given to Node, also when its client has
 * left: the work goes on.
 */
export class InFlight {
  /**
   * Each visit has a place, which is given to another one after it. In a Map or Set that changes with each request V8 would
   * keep requests alive that are over (docs/decisions/0065-requests-stay-young.md).
   */
  readonly #places: (Visit | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #inLine = new WeakMap<Socket, LeanResponse>();
  #visits = 0;
  #uploads = 0;

  /** `now` counts milliseconds and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many are at work. Who is still waiting for the client to send the body is not: slow clients must not crowd others out. */
  get count(): number {
    return this.#places.length - this.#free.length - this.#uploads;
  }

  enter(response: LeanResponse): void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = { response, number: this.#visits++, uploading: false };
    response.observer = this;
    response.place = place;
    response.begunAt = this.now();
  }

  /** The client has yet to send the body. */
  upload({ place }: LeanResponse): void {
    const visit = this.#places[place];
    if (!visit || visit.uploading) return;
    visit.uploading = true;
    this.#uploads += 1;
  }

  /** The body is there, or will not come. */
  uploaded({ place }: LeanResponse): void {
    const visit = this.#places[place];
    if (!visit?.uploading) return;
    visit.uploading = false;
    this.#uploads -= 1;
  }

  /** The answer is given to Node. */
  answered(response: LeanResponse): void {
    if (response.place < 0) return;
    this.leave(response);
    answered.publish(response);
  }

  leave(response: LeanResponse): void {
    const { place } = response;
    if (!this.#places[place]) return;
    this.uploaded(response);
    this.#places[place] = undefined;
    this.#free.push(place);
    response.place = -1;
    // Node gives the connection to one answer after the other.
    if (response.socket === null) this.#inLine.set(response.req.socket, response);
  }

  /** Whether an answer is given that has yet to be sent, because those before it on its connection are not given. */
  hasInLine(socket: Socket): boolean {
    return this.#inLine.get(socket)?.writableFinished === false;
  }

  /** Those that have waited for so many milliseconds or longer, the longest waiting first. */
  waiting(atLeast = 0): LeanResponse[] {
    const latest = this.now() - atLeast;
    return this.#places
      .filter((visit): visit is Visit => visit !== undefined && visit.response.begunAt <= latest)
      .sort((one, other) => one.number - other.number)
      .map(({ response }) => response);
  }
}
