import { bool, host, str } from 'envalid';
import { parseDatabaseUrl } from './database-url.js';
import { type ModuleSettings, settingsOfModules } from './module-settings.js';
import {
  baseUrl,
  byteSize,
  database,
  isProduction,
  origins,
  trustProxy,
  wholeNumber,
} from './variable-kinds.js';
import { removedSettings } from './removed-settings.js';
import { readVariables, type ValuesOf, type Variables } from './variables.js';

/** `silent` means `fatal`: why the process ends is always told. */
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: deprecated operations end at their removal date; `serve`: they never end; `gone`: they have ended. */
const DEPRECATED_OPERATIONS = ['auto', 'serve', 'gone'] as const;
export type DeprecatedOperations = (typeof DEPRECATED_OPERATIONS)[number];

/** Each setting: the variable it comes from, its kind and its default. `.env.example` explains them to operators. */
const VARIABLES = {
  production: ['NODE_ENV', isProduction({ default: false })],
  host: ['HOST', host({ default: '127.0.0.1' })],
  port: ['PORT', wholeNumber(0, 65_535)({ default: 3000 })],
  /** How many connections each process keeps open. */
  maxConnections: ['MAX_CONNECTIONS', wholeNumber(1, 1_000_000)({ default: 10_000 })],
  /** How many requests it works on at the same time. */
  maxInFlight: ['MAX_IN_FLIGHT', wholeNumber(1, 100_000)({ default: 256 })],
  /** How long a connection may be idle after an answer, in ms. */
  keepAliveTimeout: ['KEEP_ALIVE_TIMEOUT', wholeNumber(1_000, 600_000)({ default: 5_000 })],
  /** How long a process that is stopping still accepts connections, in ms. */
  drainDelay: ['DRAIN_DELAY', wholeNumber(0, 60_000)({ default: 0 })],
  database: ['DATABASE_URL', database({ default: parseDatabaseUrl('sqlite:./data/petstore.db') })],
  databasePoolSize: ['DB_POOL_SIZE', wholeNumber(1, 1_000)({ default: 10 })],
  migrateOnStart: ['MIGRATE_ON_START', bool({ default: undefined })],
  /** The beginning of links in answers, ending in `/v1`; absent: the address that the service listens on. */
  baseUrl: ['BASE_URL', baseUrl({ default: undefined })],
  stagingUrl: ['STAGING_URL', baseUrl({ default: undefined })],
  /** Origins whose pages may use the service from a browser; absent: none. `*` means all. */
  corsOrigins: ['CORS_ORIGINS', origins({ default: undefined })],
  /** Which proxies are trusted, as Express' `trust proxy`: false, a number of hops, or addresses. */
  trustProxy: ['TRUST_PROXY', trustProxy({ default: false })],
  /** Where metrics are served; they are not served without a port. */
  metricsHost: ['METRICS_HOST', host({ default: '127.0.0.1' })],
  metricsPort: ['METRICS_PORT', wholeNumber(0, 65_535)({ default: undefined })],
  logLevel: ['LOG_LEVEL', str<LogLevel>({ choices: LOG_LEVELS, default: 'info' })],
  /** In bytes, after any decompression. */
  bodyLimit: ['BODY_LIMIT', byteSize({ default: 100 * 1024 })],
  deprecatedOperations: [
    'DEPRECATED_OPERATIONS',
    str<DeprecatedOperations>({ choices: DEPRECATED_OPERATIONS, default: 'auto' }),
  ],
} as const satisfies Variables;

type Values = ValuesOf<typeof VARIABLES>;

/** The settings of the service, read once at the start. */
// oxlint-disable-next-line no-unsafe-declaration-merging -- the constructor assigns every property
export class Settings {
  constructor(settings: Settings) {
    Object.assign(this, settings);
  }
}
// oxlint-disable-next-line no-unsafe-declaration-merging
export interface Settings extends Omit<Values, 'migrateOnStart'> {
  readonly migrateOnStart: boolean;
  /** The settings that modules declare, by their classes. */
  readonly modules: ReadonlyMap<ModuleSettings, object>;
}

/** The configuration cannot be used. The message has one line for each mistake, which begins with the name of the variable. */
export class BadConfiguration extends Error {}

export const VARIABLE_NAMES: readonly string[] = Object.values(VARIABLES).map(([name]) => name);

/**
 * Reads the whole environment, for the platform and these modules. `found` are mistakes that were found before. @throws
 * BadConfiguration listing all mistakes
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  modules: readonly object[] = [],
  found: readonly string[] = [],
): Settings {
  // An empty variable counts as absent, as in `PORT= npm start`.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const mistakes = [...found, ...removedSettings(given)];
  const values = readVariables(given, VARIABLES, mistakes);
  const ofModules = new Map<ModuleSettings, object>();
  for (const settings of settingsOfModules(modules)) {
    const ownValues = readVariables(given, settings.variables, mistakes);
    try {
      ofModules.set(settings, new settings(ownValues));
    } catch (error) {
      // Values that do not fit together; the class says so.
      if (!(error instanceof BadConfiguration)) throw error;
      mistakes.push(error.message);
    }
  }
  if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));
  return new Settings({
    ...values,
    migrateOnStart: values.migrateOnStart ?? values.database.engine === 'sqlite',
    modules: ofModules,
  });
}
