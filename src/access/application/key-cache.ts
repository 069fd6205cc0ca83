import type { Clock } from '../../kernel/clock.js';
import type { ApiKey } from '../domain/api-key.js';

/** How long a replica may use a key that it has read: the promise to operators who revoke one. */
const MAX_AGE_MS = 5_000;
const MAX_ENTRIES = 10_000;

type Reading = Promise<ApiKey | undefined>;

interface Entry {
  readonly readAt: number;
  readonly reading: Reading;
  /** The result of the read; while the read runs, the result of the one before. */
  key?: ApiKey;
  before?: ApiKey | undefined;
}

/**
 * Caches good keys for at most 5 s, and shares one lookup between concurrent requests for the same key. Failures and keys that
 * are unknown or ended are not cached: each costs the same query every time, so the time of a rejection does not show the
 * reason.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();

  /** `report` is called for each lookup. */
  constructor(
    private readonly clock: Clock,
    private readonly report: (outcome: 'hit' | 'miss') => void = () => undefined,
  ) {}

  /** The key, if it is in the cache and active. */
  peek(secretHash: string): ApiKey | undefined {
    const known = this.#entries.get(secretHash);
    if (known?.key === undefined || !this.#isUsable(known)) return undefined;
    this.report('hit');
    return known.key;
  }

  /** Whether the key was good at its last read, however long ago. */
  has(secretHash: string): boolean {
    const known = this.#entries.get(secretHash);
    return (known?.key ?? known?.before)?.stateAt(this.clock.now()) === 'active';
  }

  get(secretHash: string, read: () => Reading): Reading {
    const known = this.#entries.get(secretHash);
    const isKnown = known !== undefined && this.#isUsable(known);
    this.report(isKnown ? 'hit' : 'miss');
    if (isKnown) return known.reading;

    const entry: Entry = { readAt: this.clock.now(), reading: read(), before: known?.key };
    this.#entries.delete(secretHash);
    this.#entries.set(secretHash, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#forgetOldest();
    const giveWayTo = (other: Entry | undefined) => {
      if (this.#entries.get(secretHash) !== entry) return;
      if (other) this.#entries.set(secretHash, other);
      else this.#entries.delete(secretHash);
    };
    entry.reading.then(
      (key) => {
        if (key) entry.key = key;
        else giveWayTo(undefined);
      },
      () => giveWayTo(known),
    );
    return entry.reading;
  }

  /** Fresh, and either still being read or an active key. */
  #isUsable({ readAt, key }: Entry): boolean {
    const now = this.clock.now();
    return now - readAt < MAX_AGE_MS && (key === undefined || key.stateAt(now) === 'active');
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
