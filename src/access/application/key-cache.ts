import type { Clock } from '../../kernel/clock.js';
import type { ApiKey } from '../domain/api-key.js';

/** How long a replica may go on trusting what it read: the promise to operators who revoke a key. */
const FRESH = 5_000;
const MOST_ENTRIES = 10_000;

/** Remembers recognised keys for at most 5 s, and lets requests that ask for the same one at the same time share the answer. */
export class KeyCache {
  readonly #entries = new Map<
    string,
    { readonly readAt: number; readonly key: Promise<ApiKey | undefined> }
  >();

  constructor(private readonly clock: Clock) {}

  get(secretHash: string, read: () => Promise<ApiKey | undefined>): Promise<ApiKey | undefined> {
    const now = this.clock.now();
    const entry = this.#entries.get(secretHash);
    if (entry && now - entry.readAt < FRESH) return entry.key;

    const key = read();
    this.#entries.delete(secretHash);
    this.#entries.set(secretHash, { readAt: now, key });
    if (this.#entries.size > MOST_ENTRIES) this.#forgetOldest();
    // Neither a failure nor a stranger is worth remembering: the next request asks again.
    const forget = () => {
      if (this.#entries.get(secretHash)?.key === key) this.#entries.delete(secretHash);
    };
    key.then((found) => found ?? forget(), forget);
    return key;
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
