import type { Deprecation } from './deprecation.js';
import {
  type Logger,
  readOptions,
  readRetryOptions,
  refuseUnknown,
  type RetryLimits,
  type RetryOptions,
} from './options.js';
import { sleep } from './timers.js';

export interface PetStoreOptions extends RetryOptions {
  /**
   * The base URL of the service: `https://petstore.example/v1`. If left out, the client reads the environment variable
   * `PETSTORE_URL`, which browsers do not have.
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The key is sent only below `baseUrl`. If left out, the client reads the environment variable `PETSTORE_API_KEY`, which
   * browsers do not have.
   */
  readonly apiKey?: string | undefined;
  /**
   * Called on each use of a deprecated operation. If it throws, the call throws the same error. If left out, `logger.warn` gets a
   * line on the first use of each operation.
   */
  readonly onDeprecated?: ((notice: Deprecation) => void) | undefined;
  /** Receives what the client logs. If left out, warnings go to the console. */
  readonly logger?: Logger | undefined;
  /** Used in place of the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits for a number of milliseconds, or throws the reason of the signal. For tests. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Used in place of `Math.random`; for tests. */
  readonly random?: (() => number) | undefined;
}

/** The options with all defaults filled in. */
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

/** The characters that RFC 6750 allows in a token. */
const API_KEY = /^[\w.~+/-]+=*$/;
const URL_VARIABLE = 'PETSTORE_URL';
const KEY_VARIABLE = 'PETSTORE_API_KEY';

/** The version in `package.json`. */
export const VERSION = '3.0.0';

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
export function readClientOptions(given: PetStoreOptions): ClientOptions {
  const options = readOptions(given, 'the client', "{ baseUrl: 'https://petstore.example/v1' }");
  refuseUnknown(options, 'the client', OPTIONS);
  const logger = readLogger(options.logger ?? WARNINGS_ONLY);
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: readApiKey(options.apiKey),
    userAgent: userAgent(),
    limits: readRetryOptions(options),
    fetch: readFunction('fetch', options.fetch ?? globalThis.fetch),
    sleep: readFunction('sleep', options.sleep ?? sleep),
    random: readFunction('random', options.random ?? Math.random),
    onDeprecated: readFunction('onDeprecated', options.onDeprecated ?? warnOnce(logger)),
    logger,
  };
}

function readFunction<Option>(name: string, option: Option): Option {
  if (typeof option === 'function') return option;
  throw new TypeError(`${name} must be a function.`);
}

function readLogger(logger: Logger): Logger {
  if ([logger.debug, logger.warn].every((method) => typeof method === 'function')) return logger;
  throw new TypeError('logger must have the functions debug and warn.');
}

/** The base URL without a slash at its end. @throws TypeError */
function readBaseUrl(option: unknown): string {
  const baseUrl = String(
    option === undefined ? fromEnvironment(URL_VARIABLE, 'base URL', 'baseUrl') : option,
  );
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash) {
    const name = option === undefined ? URL_VARIABLE : 'baseUrl';
    throw new TypeError(`${name} must be an address like https://petstore.example/v1.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A message must never contain the key. @throws TypeError */
function readApiKey(option: unknown): string {
  const apiKey = option === undefined ? fromEnvironment(KEY_VARIABLE, 'API key', 'apiKey') : option;
  if (typeof apiKey === 'string' && API_KEY.test(apiKey)) return apiKey;
  const name = option === undefined ? KEY_VARIABLE : 'apiKey';
  throw new TypeError(`${name} is empty or has characters that no key has.`);
}

/** Node, Deno and Bun have an environment. Bundlers may replace the text `process.env.NAME`, so this code does not contain it. */
function fromEnvironment(variable: string, what: string, option: string): string {
  const { process } = globalThis as Platform;
  const missing = `There is no ${what}: give the option ${option}`;
  if (process?.versions?.node === undefined) throw new TypeError(`${missing}.`);
  const remedy = `${missing}, or set ${variable} in the environment`;
  try {
    const value = process.env?.[variable];
    if (value !== undefined) return value;
  } catch (cause) {
    throw new TypeError(`${remedy} and allow it: --allow-env=${variable}.`, { cause });
  }
  throw new TypeError(`${remedy}.`);
}

/** Undefined in browsers, which send their own name: some ignore another name, and others ask for it in a preflight. */
function userAgent(): string | undefined {
  const { navigator } = globalThis as Platform;
  // `Node.js/22`, `Deno/2.1.4`, or the name of a browser, which begins with Mozilla. Node 20 has no name.
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
