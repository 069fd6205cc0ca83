import type { Request } from 'express';
import { callerId } from './caller.js';
import { networkOfClient } from './client-network.js';
import type { Client, LeanResponse } from './server/lean-response.js';

/** So many clients, and so many headers that tell who sends them, are remembered. */
const MAX_REMEMBERED = 10_000;

export interface WaitingClient extends Client {
  /** Whether it is told by its key, not by its address. */
  readonly isKnown: boolean;
  readonly line: { readonly response: LeanResponse; readonly work: () => void }[];
}

/** Who asks, before keys are judged: a caller whose header was accepted once, or else a network. */
export class Clients {
  readonly #byId = new Map<string, WaitingClient>();
  /** The caller by its header `Authorization`, once it was accepted; only in memory, like the header itself. */
  readonly #callers = new Map<string, string>();

  of(request: Request): WaitingClient {
    const { authorization } = request.headers;
    const caller = authorization === undefined ? undefined : this.#callers.get(authorization);
    const id = caller ?? networkOfClient(request);
    let client = this.#byId.get(id);
    if (!client) this.#byId.set(id, (client = { isKnown: caller !== undefined, atWork: 0, line: [] }));
    return client;
  }

  /** Who is accepted once is a client of its own from then on, whatever others do from the same address. */
  learn(request: Request): void {
    const caller = callerId(request);
    if (caller === undefined) return;
    this.#callers.set(request.headers.authorization!, `key ${caller}`);
    if (this.#callers.size > MAX_REMEMBERED) this.#callers.delete(this.#callers.keys().next().value!);
  }

  /** To be called regularly: it bounds the memory. */
  forgetIdle(): void {
    if (this.#byId.size <= MAX_REMEMBERED) return;
    for (const [id, client] of this.#byId)
      if (client.atWork === 0 && client.line.length === 0) this.#byId.delete(id);
  }
}
