import type { Deprecation } from './deprecation.js';
import { Pets } from './pets.js';
import { sleep } from './sleep.js';
import { Transport } from './transport.js';

export interface PetStoreOptions {
  /** The base address of the service: `https://petstore.example/v1`. */
  readonly baseUrl: string | URL;
  /** Goes to this address only. */
  readonly apiKey: string;
  /** Is told on each use of a deprecated operation. What it throws, the call throws. */
  readonly onDeprecated?: (notice: Deprecation) => void;
  /** How often a request is sent at most, the first time included; 4 if left out. */
  readonly maxTries?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; 60 000 if left out. After a longer one the call fails. */
  readonly maxWaitMs?: number;
  /** How long one try may take, in milliseconds; 30 000 if left out. */
  readonly timeoutMs?: number;
  /** Used in place of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits so many milliseconds, or throws the signal's reason; for tests. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Used in place of `Math.random`; for tests. */
  readonly random?: () => number;
}

/** The characters of RFC 6750, and the key itself is never part of a message. */
const API_KEY = /^[\w.~+/-]+=*$/;
/** The longest time that timers know. */
const LONGEST_MS = 2 ** 31 - 1;

/** A client of the Pet Store API. */
export class PetStoreClient {
  readonly pets: Pets;

  /** @throws TypeError, RangeError if an option is unusable */
  constructor(options: PetStoreOptions) {
    const { baseUrl, apiKey, maxTries = 4, maxWaitMs = 60_000, timeoutMs = 30_000 } = options;
    if (!API_KEY.test(apiKey)) throw new TypeError('apiKey is empty or has characters that no key has.');
    demand('maxTries', maxTries, 1, Number.MAX_SAFE_INTEGER);
    demand('maxWaitMs', maxWaitMs, 0, LONGEST_MS);
    demand('timeoutMs', timeoutMs, 1, LONGEST_MS);
    const transport = new Transport({
      apiKey,
      maxTries,
      maxWaitMs,
      timeoutMs,
      fetch: options.fetch ?? globalThis.fetch,
      onDeprecated: options.onDeprecated ?? (() => undefined),
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
    });
    this.pets = new Pets(transport, addressOf(baseUrl));
  }
}

function addressOf(baseUrl: string | URL): string {
  const { protocol, origin, pathname } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`baseUrl must begin with https:// or http://.`);
  return origin + pathname.replace(/\/+$/, '');
}

function demand(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}.`);
}
