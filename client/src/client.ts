import type { Deprecation } from './deprecation.js';
import {
  type Logger,
  readApiKey,
  readBaseUrl,
  readRetryOptions,
  refuseUnknown,
  type RetryOptions,
} from './options.js';
import { Orders } from './orders.js';
import { Pets } from './pets.js';
import { sleep } from './timers.js';
import { Transport } from './transport.js';

export interface PetStoreOptions extends RetryOptions {
  /** The base address of the service: `https://petstore.example/v1`. */
  readonly baseUrl: string | URL;
  /** Goes to this address only. */
  readonly apiKey: string;
  /**
   * Is told on each use of a deprecated operation. What it throws, the call throws. If left out, `logger.warn` gets a
   * line on the first use of each.
   */
  readonly onDeprecated?: ((notice: Deprecation) => void) | undefined;
  /** Gets what the client logs; if left out, warnings go to the console. */
  readonly logger?: Logger | undefined;
  /** Used in place of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits so many milliseconds, or throws the signal's reason; for tests. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Used in place of `Math.random`; for tests. */
  readonly random?: (() => number) | undefined;
}

/** That of `package.json`. */
export const VERSION = '1.1.0';

interface Platform {
  readonly navigator?: { readonly userAgent?: string };
}

const OPTIONS = 'baseUrl apiKey maxTries maxWaitMs timeoutMs onDeprecated logger fetch sleep random'.split(
  ' ',
);

const WARNINGS_ONLY: Logger = {
  debug: () => undefined,
  warn: (message) => console.warn(message),
};

/** A client of the Pet Store API. */
export class PetStoreClient {
  readonly pets: Pets;
  /** @experimental The service may change it, or not have it. */
  readonly orders: Orders;

  /** @throws TypeError, RangeError if an option is unusable */
  constructor(options: PetStoreOptions) {
    refuseUnknown(options, 'the client', OPTIONS);
    const { logger = WARNINGS_ONLY, onDeprecated = warnOnce(logger) } = options;
    const transport = new Transport({
      baseUrl: readBaseUrl(options.baseUrl),
      apiKey: readApiKey(options.apiKey),
      userAgent: userAgentOf((globalThis as Platform).navigator?.userAgent),
      limits: readRetryOptions(options),
      fetch: options.fetch ?? globalThis.fetch,
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
      onDeprecated,
      logger,
    });
    this.pets = new Pets(transport);
    this.orders = new Orders(transport);
  }
}

/** Warns on the first use of each operation. */
function warnOnce(logger: Logger): (notice: Deprecation) => void {
  const warned = new Set<string>();
  return (notice) => {
    const { operation, sunset, link } = notice;
    if (warned.has(operation)) return;
    warned.add(operation);
    const end = sunset ? ` and ends on ${sunset.toISOString().slice(0, 10)}` : '';
    logger.warn(`@petstore/client: ${operation} is deprecated${end}${link ? `, see ${link}` : ''}.`, notice);
  };
}

/**
 * Browsers say their own name: another one is ignored by some, and asked for in preflights by others.
 * @param platform `Node.js/22`, `Deno/2.1.4`, or a browser's, which begins with Mozilla; undefined in Node 20
 */
function userAgentOf(platform: string | undefined): string | undefined {
  if (platform?.startsWith('Mozilla/')) return undefined;
  return [`petstore-client/${VERSION}`, platform].filter(Boolean).join(' ');
}
