import type { Rate } from '../../kernel/rate.js';
import type { DatabaseUrl } from './database-url.js';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** `auto`: deprecated operations end at their removal date; `serve`: they go on; `gone`: they have ended already. */
export type DeprecatedOperations = 'auto' | 'serve' | 'gone';

/** What the operator decided. Read once, at the start; `.env.example` explains each entry. */
export class Settings {
  readonly production!: boolean;
  readonly host!: string;
  readonly port!: number;
  /** How many processes share the port. */
  readonly workers!: number;
  /** How many connections each process keeps, and how many requests it is at work on, at the same time. */
  readonly maxConnections!: number;
  readonly maxInFlight!: number;
  /** How long a request may wait for its answer, in ms. */
  readonly requestTimeout!: number;
  /** How long a process that is told to stop lets others in who have not noticed yet, in ms. */
  readonly drainDelay!: number;
  readonly database!: DatabaseUrl;
  readonly databasePoolSize!: number;
  readonly migrateOnStart!: boolean;
  /** Absolute, ending in `/v1`, or absent: then links are path-absolute. */
  readonly baseUrl?: string;
  readonly stagingUrl?: string;
  readonly bootstrapApiKey?: string;
  /** What a key without a rate of its own is kept to; absent: nothing. */
  readonly rateLimit?: Rate;
  /** Origins whose pages may use the service from a browser; absent: none. `*` means all. */
  readonly corsOrigins?: readonly string[];
  /** Where replicas count together; absent: each for itself. */
  readonly redisUrl?: string;
  /** Which proxies may say whom they speak for, as Express' `trust proxy`: false, a number of hops, or addresses. */
  readonly trustProxy!: boolean | number | string;
  /** Where metrics are served; without a port, nowhere. */
  readonly metricsHost!: string;
  readonly metricsPort?: number;
  readonly logLevel!: LogLevel;
  /** The share of requests, from 0 to 1, that have a line in the log. */
  readonly logSample!: number;
  /** In bytes, after any decompression. */
  readonly bodyLimit!: number;
  /** Whether the store area is there at all. */
  readonly storeEnabled!: boolean;
  readonly deprecatedOperations!: DeprecatedOperations;

  constructor(settings: Settings) {
    Object.assign(this, settings);
  }
}
