import type { Deprecation } from './deprecation.js';
import {
  type Logger,
  readRetryOptions,
  refuseUnknown,
  type RetryLimits,
  type RetryOptions,
} from './options.js';
import { sleep } from './timers.js';

export interface PetStoreOptions extends RetryOptions {
  /** The base address of the service: `https://petstore.example/v1`. */
  readonly baseUrl: string | URL;
  /** Goes to this address only. If left out, the environment variable `PETSTORE_API_KEY`, which browsers do not have. */
  readonly apiKey?: string | undefined;
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

/** The same, with nothing left out. */
export interface ClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userAgent: string | undefined;
  readonly limits: RetryLimits;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onDeprecated: (notice: Deprecation) => void;
  readonly logger: Logger;
}

interface Platform {
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

/** The characters of RFC 6750. */
const API_KEY = /^[\w.~+/-]+=*$/;
const KEY_VARIABLE = 'PETSTORE_API_KEY';

/** That of `package.json`. */
export const VERSION = '2.0.0';

const OPTIONS = [
  'baseUrl',
  'apiKey',
  'maxTries',
  'maxWaitMs',
  'timeoutMs',
  'onDeprecated',
  'logger',
  'fetch',
  'sleep',
  'random',
];

const WARNINGS_ONLY: Logger = {
  debug: () => undefined,
  warn: (message) => console.warn(message),
};

/** @throws TypeError, RangeError if an option is unusable */
export function readClientOptions(options: PetStoreOptions): ClientOptions {
  refuseUnknown(options, 'the client', OPTIONS);
  const { logger = WARNINGS_ONLY, onDeprecated = warnOnce(logger) } = options;
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    userAgent: userAgent(),
    limits: readRetryOptions(options),
    fetch: options.fetch ?? globalThis.fetch,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    onDeprecated,
    logger,
  };
}

/** The address without a slash at its end. @throws TypeError */
function readBaseUrl(baseUrl: unknown): string {
  const url = URL.canParse(String(baseUrl)) ? new URL(String(baseUrl)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash)
    throw new TypeError('baseUrl must be an address like https://petstore.example/v1.');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The key is never part of a message. @throws TypeError */
function readApiKey(option: unknown): string {
  const apiKey = option === undefined ? keyFromEnvironment() : option;
  if (typeof apiKey === 'string' && API_KEY.test(apiKey)) return apiKey;
  const name = option === undefined ? KEY_VARIABLE : 'apiKey';
  throw new TypeError(`${name} is empty or has characters that no key has.`);
}

/** Node, Deno and Bun have an environment. Bundlers, which may replace `process.env.NAME`, find no such text here. */
function keyFromEnvironment(): string {
  const { process } = globalThis as Platform;
  if (process?.versions?.node === undefined)
    throw new TypeError('There is no API key: give the option apiKey.');
  const missing = `There is no API key: give the option apiKey, or set ${KEY_VARIABLE} in the environment`;
  try {
    const apiKey = process.env?.[KEY_VARIABLE];
    if (apiKey !== undefined) return apiKey;
  } catch (cause) {
    throw new TypeError(`${missing} and allow it: --allow-env=${KEY_VARIABLE}.`, { cause });
  }
  throw new TypeError(`${missing}.`);
}

/** Browsers say their own name: another one is ignored by some, and asked for in preflights by others. */
function userAgent(): string | undefined {
  const { navigator } = globalThis as Platform;
  // `Node.js/22`, `Deno/2.1.4`, or a browser's, which begins with Mozilla; Node 20 has none.
  const platform = navigator?.userAgent;
  if (platform?.startsWith('Mozilla/')) return undefined;
  return [`petstore-client/${VERSION}`, platform].filter(Boolean).join(' ');
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
