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

/** `silent` has the effect of `fatal`, because the reason why the process ends is always logged. */
const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * With `auto`, deprecated operations end at their removal date. With `serve` they never end, and with `gone` they have ended
 * already.
 */
const DEPRECATED_OPERATIONS = ['auto', 'serve', 'gone'] as const;
type DeprecatedOperations = (typeof DEPRECATED_OPERATIONS)[number];

/** Each setting, with its variable, its kind and its default. `.env.example` describes them for operators. */
const VARIABLES = {
  production: ['NODE_ENV', isProduction({ default: false })],
  host: ['HOST', host({ default: '127.0.0.1' })],
  port: ['PORT', wholeNumber(0, 65_535)({ default: 3000 })],
  /** How many connections each process keeps open. */
  maxConnections: ['MAX_CONNECTIONS', wholeNumber(1, 1_000_000)({ default: 10_000 })],
  /** How many requests each process executes at the same time. */
  maxInFlight: ['MAX_IN_FLIGHT', wholeNumber(1, 100_000)({ default: 256 })],
  /** How long a connection may be idle after a response, in ms. */
  keepAliveTimeout: ['KEEP_ALIVE_TIMEOUT', wholeNumber(1_000, 600_000)({ default: 5_000 })],
  /** How long a process that is stopping still accepts connections, in ms. */
  drainDelay: ['DRAIN_DELAY', wholeNumber(0, 60_000)({ default: 0 })],
  database: ['DATABASE_URL', database({ default: parseDatabaseUrl('sqlite:./data/petstore.db') })],
  databasePoolSize: ['DB_POOL_SIZE', wholeNumber(1, 1_000)({ default: 10 })],
  migrateOnStart: ['MIGRATE_ON_START', bool({ default: undefined })],
  /** The base URL of links in responses, which ends in `BASE_PATH`. If absent, the host and port on which the service listens. */
  baseUrl: ['BASE_URL', baseUrl({ default: undefined })],
  stagingUrl: ['STAGING_URL', baseUrl({ default: undefined })],
  /** Origins whose pages may use the service from a browser. `*` means all origins. If absent, none. */
  corsOrigins: ['CORS_ORIGINS', origins({ default: undefined })],
  /** The trusted proxies, as Express' `trust proxy`: false, a number of proxies, or IP addresses. */
  trustProxy: ['TRUST_PROXY', trustProxy({ default: false })],
  /** Where metrics are served. They are served only if there is a port. */
  metricsHost: ['METRICS_HOST', host({ default: '127.0.0.1' })],
  metricsPort: ['METRICS_PORT', wholeNumber(0, 65_535)({ default: undefined })],
  logLevel: ['LOG_LEVEL', str<LogLevel>({ choices: LOG_LEVELS, default: 'info' })],
  /** In bytes, after decompression. */
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

/**
 * The service cannot start with this configuration. The message has one line for each mistake. A line about a variable begins
 * with its name.
 */
export class BadConfiguration extends Error {}

export const VARIABLE_NAMES: readonly string[] = Object.values(VARIABLES).map(([name]) => name);

/**
 * Reads the environment, for the platform and for these modules. `found` contains mistakes that were found before. @throws
 * BadConfiguration, which lists all mistakes
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
      // The class checks whether the values fit together.
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
