import type { Request } from 'express';
import { callerId } from './caller.js';
import { networkOfClient } from './client-network.js';
import type { Client, LeanResponse } from './server/lean-response.js';

/** The maximum number of clients, and of `Authorization` headers, that are remembered. */
const MAX_REMEMBERED = 10_000;

export interface WaitingClient extends Client {
  /** Whether the client is identified by its key, rather than its address. */
  readonly isKnown: boolean;
  readonly line: { readonly response: LeanResponse; readonly work: () => void }[];
}

/** Identifies clients before their keys are checked: by a header that was accepted before, or else by network. */
export class Clients {
  readonly #byId = new Map<string, WaitingClient>();
  /** Callers by their header `Authorization`, once it was accepted. Kept in memory only. */
  readonly #callers = new Map<string, string>();

  of(request: Request): WaitingClient {
    const { authorization } = request.headers;
    const caller = authorization === undefined ? undefined : this.#callers.get(authorization);
    const id = caller ?? networkOfClient(request);
    let client = this.#byId.get(id);
    if (!client) this.#byId.set(id, (client = { isKnown: caller !== undefined, atWork: 0, line: [] }));
    return client;
  }

  /** An accepted caller counts as a client of its own from then on, whatever others do from the same address. */
  learn(request: Request): void {
    const caller = callerId(request);
    if (caller === undefined) return;
    this.#callers.set(request.headers.authorization!, `key ${caller}`);
    if (this.#callers.size > MAX_REMEMBERED) this.#callers.delete(this.#callers.keys().next().value!);
  }

  /** To be called regularly, to bound the memory. */
  forgetIdle(): void {
    if (this.#byId.size <= MAX_REMEMBERED) return;
    for (const [id, client] of this.#byId)
      if (client.atWork === 0 && client.line.length === 0) this.#byId.delete(id);
  }
}
