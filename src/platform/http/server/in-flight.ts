import type { Socket } from 'node:net';
import type { LeanResponse } from './lean-response.js';

/**
 * The requests that wait for their answer, the longest waiting first. One is in flight until its answer is given to Node,
 * also when its client has left: the work goes on.
 */
export class InFlight {
  readonly #since = new Map<LeanResponse, number>();
  readonly #uploads = new Set<LeanResponse>();
  readonly #inLine = new WeakMap<Socket, LeanResponse>();

  /** `now` counts milliseconds and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How many are at work. Who is still waiting for the client to send the body is not: slow clients must not crowd others out. */
  get count(): number {
    return this.#since.size - this.#uploads.size;
  }

  /** The client has yet to send the body. */
  upload(response: LeanResponse): void {
    if (this.#since.has(response)) this.#uploads.add(response);
  }

  /** The body is there, or will not come. */
  uploaded(response: LeanResponse): void {
    this.#uploads.delete(response);
  }

  enter(response: LeanResponse): void {
    response.attendant = this;
    this.#since.set(response, this.now());
  }

  leave(response: LeanResponse): void {
    this.#since.delete(response);
    this.#uploads.delete(response);
    // Node gives the connection to one answer after the other.
    if (response.socket === null) this.#inLine.set(response.req.socket, response);
  }

  /** Whether an answer is given that has yet to be sent, because those before it on its connection are not given. */
  hasInLine(socket: Socket): boolean {
    return this.#inLine.get(socket)?.writableFinished === false;
  }

  /** Those that have waited for so many milliseconds or longer. */
  *waiting(atLeast = 0): Generator<LeanResponse, void> {
    const latest = this.now() - atLeast;
    for (const [response, since] of this.#since) {
      if (since > latest) return;
      yield response;
    }
  }
}
