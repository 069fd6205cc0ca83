import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { networkOfClient } from '../../../platform/http/client-network.js';
import { LeanResponse } from '../../../platform/http/server/lean-response.js';

/** Bounds of the memory that waiting takes. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_NETWORK = 250;

/** What goes on on a connection. */
interface Line {
  /** Settles when the last of the line is done; absent when nobody is in it. */
  last?: Promise<void> | undefined;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

/**
 * Requests that wait, so many at a time. They count as requests to be answered, but not as work: nobody else is kept out for
 * them. When the client leaves, the wait is over.
 */
@Injectable()
export class WaitingRequests {
  readonly #lines = new WeakMap<Request['socket'], Line>();
  readonly #byNetwork = new Map<string, number>();
  #count = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `work` once that for earlier requests of the same connection is done.
   * @returns undefined if the request would have to wait for that and cannot
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

  /** Lets so many milliseconds pass; none at all if too many requests wait already. */
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
    const response = request.res instanceof LeanResponse ? request.res : undefined;
    response?.observer?.setAside(response, 'delay');
    return begin().finally(() => {
      response?.observer?.resume(response);
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
