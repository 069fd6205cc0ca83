import { describe, expect, it } from 'vitest';
import { AccessModule } from '../../../../src/access/index.js';
import { BadConfiguration, readSettings } from '../../../../src/platform/config/settings.js';

const messageFor = (environment: NodeJS.ProcessEnv): string => {
  try {
    readSettings(environment, [AccessModule]);
    return '';
  } catch (error) {
    if (error instanceof BadConfiguration) return error.message;
    throw error;
  }
};

describe('a service that was told nothing', () => {
  it('starts for one person on this machine', () => {
    expect({ ...readSettings({}) }).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      maxConnections: 10_000,
      maxInFlight: 256,
      keepAliveTimeout: 5_000,
      drainDelay: 0,
      database: { engine: 'sqlite', file: './data/petstore.db' },
      databasePoolSize: 10,
      migrateOnStart: true,
      baseUrl: undefined,
      stagingUrl: undefined,
      trustProxy: false,
      metricsHost: '127.0.0.1',
      metricsPort: undefined,
      logLevel: 'info',
      bodyLimit: 102_400,
      deprecatedOperations: 'auto',
      modules: new Map(),
    });
  });

  it('takes an empty variable for one that was left out', () => {
    expect(readSettings({ PORT: '', BASE_URL: '', LOG_LEVEL: '' })).toEqual(readSettings({}));
  });
});

describe('a service that was told everything', () => {
  it('does what it was told', () => {
    const settings = readSettings({
      NODE_ENV: 'production',
      HOST: '::',
      PORT: '8080',
      MAX_CONNECTIONS: '500',
      MAX_IN_FLIGHT: '64',
      KEEP_ALIVE_TIMEOUT: '65000',
      DRAIN_DELAY: '3000',
      DATABASE_URL: 'mysql://shop:sesame@db/pets',
      DB_POOL_SIZE: '25',
      MIGRATE_ON_START: 'true',
      BASE_URL: 'https://shop.example/v1',
      STAGING_URL: 'https://staging.example/v1',
      TRUST_PROXY: '1',
      METRICS_HOST: '0.0.0.0',
      METRICS_PORT: '9464',
      LOG_LEVEL: 'warn',
      BODY_LIMIT: '1mb',
      DEPRECATED_OPERATIONS: 'serve',
    });
    expect({ ...settings }).toEqual({
      production: true,
      host: '::',
      port: 8080,
      maxConnections: 500,
      maxInFlight: 64,
      keepAliveTimeout: 65_000,
      drainDelay: 3_000,
      database: {
        engine: 'mysql',
        hosts: [{ host: 'db', port: 3306 }],
        tls: false,
        user: 'shop',
        password: 'sesame',
        database: 'pets',
      },
      databasePoolSize: 25,
      migrateOnStart: true,
      baseUrl: 'https://shop.example/v1',
      stagingUrl: 'https://staging.example/v1',
      trustProxy: 1,
      metricsHost: '0.0.0.0',
      metricsPort: 9_464,
      logLevel: 'warn',
      bodyLimit: 1_048_576,
      deprecatedOperations: 'serve',
      modules: new Map(),
    });
  });
});

describe('a configuration with mistakes', () => {
  it('is refused with a line for each of them', () => {
    const environment = {
      PORT: '70000',
      DATABASE_URL: 'postgres://db',
      DB_POOL_SIZE: 'many',
      MAX_CONNECTIONS: '0',
      MAX_IN_FLIGHT: 'all',
      DRAIN_DELAY: '-1',
      MIGRATE_ON_START: 'perhaps',
      BASE_URL: 'https://shop.example',
      BOOTSTRAP_API_KEY: 'short',
      RATE_LIMIT: 'often',
      REDIS_URL: 'memcached://db',
      TRUST_PROXY: 'everybody',
      LOG_LEVEL: 'loud',
      METRICS_PORT: 'any',
      BODY_LIMIT: 'large',
      DEPRECATED_OPERATIONS: 'sometimes',
    };
    const names = messageFor(environment)
      .split('\n')
      .map((line) => line.split(':')[0]);
    expect(names.toSorted()).toEqual(Object.keys(environment).toSorted());
  });

  it('is refused with those that were found before', () => {
    expect(() => readSettings({ PORT: '70000' }, [], ['.env: line 1'])).toThrow(/^\.env: line 1\nPORT: /);
  });

  it.each([
    { NODE_ENV: 'prod' },
    { NODE_ENV: 'Production' },
    { HOST: 'http://pets.example' },
    { METRICS_HOST: 'a b' },
  ])('is refused for %j', (environment) => {
    expect(messageFor(environment)).toMatch(new RegExp(`^${Object.keys(environment)[0]}: [^\n]+$`));
  });

  it.each([
    { DATABASE_URL: 'postgres://shop:sesame@db/pets' },
    { BOOTSTRAP_API_KEY: 'sesame' },
    { REDIS_URL: 'redis://shop:sesame@db:port' },
    { BOOTSTRAP_API_KEY: `sesame ${'x'.repeat(40)}` },
  ])('is refused without a word of the secret: %j', (environment) => {
    expect(messageFor(environment)).toMatch(/^[A-Z_]+: (?!.*sesame)/);
  });
});
