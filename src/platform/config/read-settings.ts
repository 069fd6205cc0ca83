import { bool, cleanEnv, str } from 'envalid';
import { parseDatabaseUrl } from './database-url.js';
import { type DeprecatedOperations, type LogLevel, Settings } from './settings.js';
import {
  apiKey,
  apiKeyFile,
  baseUrl,
  byteSize,
  database,
  origins,
  rate,
  redisUrl,
  share,
  trustProxy,
  wholeNumber,
} from './variable-kinds.js';

/** The configuration cannot be used. The message has a line for each mistake, by variable name. */
export class BadConfiguration extends Error {}

const LOG_LEVELS: readonly LogLevel[] = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];
const DEPRECATED_OPERATIONS: readonly DeprecatedOperations[] = ['auto', 'serve', 'gone'];

/** Every variable that the service reads. */
const VARIABLES = {
  NODE_ENV: str({ default: 'development' }),
  HOST: str({ default: '127.0.0.1' }),
  PORT: wholeNumber(0, 65_535)({ default: 3000 }),
  WORKERS: wholeNumber(1, 256)({ default: 1 }),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000)({ default: 10_000 }),
  MAX_IN_FLIGHT: wholeNumber(1, 100_000)({ default: 256 }),
  REQUEST_TIMEOUT: wholeNumber(100, 60_000)({ default: 5_000 }),
  DRAIN_DELAY: wholeNumber(0, 60_000)({ default: 0 }),
  DATABASE_URL: database({ default: parseDatabaseUrl('sqlite:./data/petstore.db') }),
  DB_POOL_SIZE: wholeNumber(1, 1_000)({ default: 10 }),
  MIGRATE_ON_START: bool({ default: undefined }),
  BASE_URL: baseUrl({ default: undefined }),
  STAGING_URL: baseUrl({ default: undefined }),
  BOOTSTRAP_API_KEY: apiKey({ default: undefined }),
  BOOTSTRAP_API_KEY_FILE: apiKeyFile({ default: undefined }),
  RATE_LIMIT: rate({ default: undefined }),
  REDIS_URL: redisUrl({ default: undefined }),
  CORS_ORIGINS: origins({ default: undefined }),
  TRUST_PROXY: trustProxy({ default: false }),
  METRICS_HOST: str({ default: '127.0.0.1' }),
  METRICS_PORT: wholeNumber(0, 65_535)({ default: undefined }),
  LOG_LEVEL: str<LogLevel>({ choices: LOG_LEVELS, default: 'info' }),
  LOG_SAMPLE: share({ default: 1 }),
  BODY_LIMIT: byteSize({ default: 100 * 1024 }),
  STORE_ENABLED: bool({ default: true }),
  DEPRECATED_OPERATIONS: str<DeprecatedOperations>({ choices: DEPRECATED_OPERATIONS, default: 'auto' }),
};
export const VARIABLE_NAMES = Object.keys(VARIABLES);

/** Reads the environment as a whole. @throws BadConfiguration naming every mistake at once */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  // An empty variable is one that somebody left out, as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const mistakes: string[] = [];
  const env = cleanEnv(given, VARIABLES, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) mistakes.push(`${name}: ${error.message}`);
    },
  });
  if (given['BOOTSTRAP_API_KEY'] && given['BOOTSTRAP_API_KEY_FILE']) {
    mistakes.push('BOOTSTRAP_API_KEY: is also set by BOOTSTRAP_API_KEY_FILE; keep one of the two');
  }
  if (env.WORKERS > 1 && env.DATABASE_URL.engine === 'sqlite') {
    mistakes.push('WORKERS: must be 1 with SQLite, whose file belongs to one process; take MySQL');
  }
  if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));

  return new Settings({
    production: env.NODE_ENV === 'production',
    host: env.HOST,
    port: env.PORT,
    workers: env.WORKERS,
    maxConnections: env.MAX_CONNECTIONS,
    maxInFlight: env.MAX_IN_FLIGHT,
    requestTimeout: env.REQUEST_TIMEOUT,
    drainDelay: env.DRAIN_DELAY,
    database: env.DATABASE_URL,
    databasePoolSize: env.DB_POOL_SIZE,
    migrateOnStart: env.MIGRATE_ON_START ?? env.DATABASE_URL.engine === 'sqlite',
    baseUrl: env.BASE_URL,
    stagingUrl: env.STAGING_URL,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY ?? env.BOOTSTRAP_API_KEY_FILE,
    rateLimit: env.RATE_LIMIT,
    redisUrl: env.REDIS_URL,
    corsOrigins: env.CORS_ORIGINS,
    trustProxy: env.TRUST_PROXY,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    logLevel: env.LOG_LEVEL,
    logSample: env.LOG_SAMPLE,
    bodyLimit: env.BODY_LIMIT,
    storeEnabled: env.STORE_ENABLED,
    deprecatedOperations: env.DEPRECATED_OPERATIONS,
  });
}
