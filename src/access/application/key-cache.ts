import type { Clock } from '../../kernel/clock.js';
import type { ApiKey } from '../domain/api-key.js';

/** How long a replica may go on trusting what it read: the promise to operators who revoke a key. */
const FRESH = 5_000;
const MAX_ENTRIES = 10_000;

type Reading = Promise<ApiKey | undefined>;

interface Entry {
  readonly readAt: number;
  readonly reading: Reading;
  /** What was read, once it is there. */
  key?: ApiKey;
}

/**
 * Remembers good keys for at most 5 s, and lets requests that ask for the same one at the same time share the answer. A
 * failure, a stranger and a key that has ended are forgotten at once: each costs the same query every time, so the time
 * of a refusal does not tell them apart.
 */
export class KeyCache {
  readonly #entries = new Map<string, Entry>();

  /** `tell` hears of each use of a key whether it was remembered. */
  constructor(
    private readonly clock: Clock,
    private readonly tell: (outcome: 'hit' | 'miss') => void = () => undefined,
  ) {}

  /** The key, if it is remembered: nobody has to wait for it. */
  peek(secretHash: string): ApiKey | undefined {
    const known = this.#entries.get(secretHash);
    if (known?.key === undefined || !this.#isGood(known)) return undefined;
    this.tell('hit');
    return known.key;
  }

  get(secretHash: string, read: () => Reading): Reading {
    const known = this.#entries.get(secretHash);
    const isKnown = known !== undefined && this.#isGood(known);
    this.tell(isKnown ? 'hit' : 'miss');
    if (isKnown) return known.reading;

    const entry: Entry = { readAt: this.clock.now(), reading: read() };
    this.#entries.delete(secretHash);
    this.#entries.set(secretHash, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#forgetOldest();
    const forget = () => {
      if (this.#entries.get(secretHash) === entry) this.#entries.delete(secretHash);
    };
    entry.reading.then((key) => {
      if (key) entry.key = key;
      else forget();
    }, forget);
    return entry.reading;
  }

  /** Fresh, and either still being read or the entry of a key that works. */
  #isGood({ readAt, key }: Entry): boolean {
    const now = this.clock.now();
    return now - readAt < FRESH && (key === undefined || key.stateAt(now) === 'active');
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
