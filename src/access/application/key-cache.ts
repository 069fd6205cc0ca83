import type { Clock } from '../../kernel/index.js';
import type { ApiKey } from '../domain/api-key.js';

/** How long a replica may use a key that it has read. It is what operators who revoke a key can rely on. */
const MAX_AGE_MS = 5_000;
const MAX_KEYS = 10_000;

type Reading = Promise<ApiKey | undefined>;

interface Lookup {
  readonly reading: Reading;
  readonly begunAt: number;
  /** Whether its statement may have been executed. */
  isUnderWay: boolean;
}

/**
 * Caches keys for at most 5 s. Concurrent requests for the same key share one lookup. Unknown keys are not cached, so a key works
 * from the moment it is registered.
 */
export class KeyCache {
  readonly #keys = new Map<string, { readonly key: ApiKey; readonly readAt: number }>();
  readonly #running = new Map<string, Lookup>();

  constructor(private readonly clock: Clock) {}

  /** The key, if it is in the cache and active. */
  peek(secretHash: string): ApiKey | undefined {
    const known = this.#keys.get(secretHash);
    if (known === undefined || this.clock.monotonic() - known.readAt >= MAX_AGE_MS) return undefined;
    return known.key.stateAt(this.clock.now()) === 'active' ? known.key : undefined;
  }

  /** `read` gets whether the key was valid when it was last read, however long ago. */
  async get(secretHash: string, read: (wasValid: boolean) => Reading): Reading {
    const cached = this.peek(secretHash);
    if (cached) return cached;
    const begunAt = this.clock.monotonic();
    const running = this.#running.get(secretHash);
    if (running && begunAt - running.begunAt < MAX_AGE_MS) {
      const { isUnderWay } = running;
      const found = await running.reading;
      if (found || !isUnderWay) return found;
      // The key may have been registered since that lookup. Another request that has waited for it may have begun a new lookup
      // already.
      const later = this.#running.get(secretHash);
      if (later) return later.reading;
    }

    const wasValid = this.#keys.get(secretHash)?.key.stateAt(this.clock.now()) === 'active';
    const reading = read(wasValid);
    const lookup: Lookup = { reading, begunAt, isUnderWay: false };
    this.#running.set(secretHash, lookup);
    // A request that arrives in the same turn of the event loop may share the lookup, because the statement is not sent before
    // the turn ends.
    setImmediate(() => (lookup.isUnderWay = true));
    try {
      const key = await reading;
      this.#keys.delete(secretHash);
      // ensures: the age of a key counts from the beginning of its lookup
      if (key) this.#keys.set(secretHash, { key, readAt: begunAt });
      if (this.#keys.size > MAX_KEYS) this.#keys.delete(this.#keys.keys().next().value!);
      return key;
    } finally {
      if (this.#running.get(secretHash) === lookup) this.#running.delete(secretHash);
    }
  }
}
