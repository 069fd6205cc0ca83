import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { networkOfClient } from '../../../platform/http/client-network.js';

/** Bounds on the memory that waiting requests take. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_NETWORK = 250;

/** The queue of one connection. */
interface Line {
  /** Settles when the last request in the queue is done; absent while the queue is empty. */
  last?: Promise<void> | undefined;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

/**
 * Lets a bounded number of requests wait. A waiting request still has to be answered, but occupies no place in flight. The wait
 * ends when the client leaves.
 */
@Injectable()
export class WaitingRequests {
  readonly #lines = new WeakMap<Request['socket'], Line>();
  readonly #byNetwork = new Map<string, number>();
  #count = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `work` after that of earlier requests on the same connection. @returns undefined if it would have to wait and there is
   * no room left
   */
  inTurn<Result>(request: Request, work: () => Promise<Result>): Promise<Result> | undefined {
    const line = this.#lineOf(request.socket);
    const { last } = line;
    const result = last === undefined ? work() : this.#wait(request, () => last)?.then(work);
    if (result === undefined) return undefined;
    const done = result.then(ignore, ignore).then(() => void (line.last === done && (line.last = undefined)));
    line.last = done;
    return result;
  }

  /** Waits for so many milliseconds, or not at all if too many requests wait already. */
  async pause(request: Request, milliseconds: number): Promise<void> {
    const { left } = this.#lineOf(request.socket);
    await this.#wait(request, () => this.clock.sleep(milliseconds, left));
  }

  #wait(request: Request, begin: () => Promise<void>): Promise<void> | undefined {
    const network = networkOfClient(request);
    const ofNetwork = this.#byNetwork.get(network) ?? 0;
    if (this.#count >= MAX_WAITING || ofNetwork >= MAX_WAITING_OF_NETWORK) return undefined;
    this.#count += 1;
    this.#byNetwork.set(network, ofNetwork + 1);
    return begin().finally(() => {
      this.#leave(network);
    });
  }

  #leave(network: string): void {
    this.#count -= 1;
    const rest = this.#byNetwork.get(network)! - 1;
    if (rest > 0) this.#byNetwork.set(network, rest);
    else this.#byNetwork.delete(network);
  }

  /** One listener for each connection, however many requests are pipelined on it. */
  #lineOf(socket: Request['socket']): Line {
    let line = this.#lines.get(socket);
    if (!line) {
      const leaving = new AbortController();
      socket.once('close', () => leaving.abort());
      this.#lines.set(socket, (line = { left: leaving.signal }));
    }
    return line;
  }
}

const ignore = () => undefined;
