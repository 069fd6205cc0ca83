import { describe, expect, it } from 'vitest';
import { AccessModule } from '../../../../src/access/index.js';
import { readSettings, type Settings } from '../../../../src/platform/config/settings.js';

type Row = [
  name: string,
  setting: keyof Settings,
  good: Record<string, unknown>,
  bad: readonly string[],
  says: string,
];

const within = (name: string, setting: keyof Settings, from: number, to: number, ...bad: string[]): Row => [
  name,
  setting,
  { [from]: from, [to]: to },
  [String(from - 1), String(to + 1), 'x', ...bad],
  `must be a whole number from ${from} to ${to}`,
];
const asTheyAre = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]));

const BASE = 'https://shop.example';

// The defaults are tested with .env.example. DATABASE_URL has its own test.
describe('the value of a variable', () => {
  it.each<Row>([
    ['NODE_ENV', 'production', { production: true, test: false }, ['prod', 'Production'], 'must be develop'],
    ['HOST', 'host', asTheyAre('::', 'pets.example'), ['http://pets.example'], ''],
    within('PORT', 'port', 0, 65_535, '80.5', '1e3', '0x50', ' 80', '80a'),
    within('DB_POOL_SIZE', 'databasePoolSize', 1, 1_000),
    within('MAX_CONNECTIONS', 'maxConnections', 1, 1_000_000),
    within('KEEP_ALIVE_TIMEOUT', 'keepAliveTimeout', 1_000, 600_000),
    within('MAX_IN_FLIGHT', 'maxInFlight', 1, 100_000),
    within('DRAIN_DELAY', 'drainDelay', 0, 60_000),
    within('METRICS_PORT', 'metricsPort', 0, 65_535),
    ['METRICS_HOST', 'metricsHost', asTheyAre('0.0.0.0'), ['a b'], ''],
    ['LOG_LEVEL', 'logLevel', asTheyAre('silent', 'warn'), ['loud'], ''],
    ['MIGRATE_ON_START', 'migrateOnStart', { true: true, false: false }, ['perhaps'], ''],
    ['DEPRECATED_OPERATIONS', 'deprecatedOperations', asTheyAre('serve', 'gone'), ['sometimes'], ''],
    [
      'BODY_LIMIT',
      'bodyLimit',
      { 1: 1, 500: 500, '500b': 500, '100kb': 102_400, '100 KB': 102_400, '2Mb': 2_097_152 },
      ['0', '0kb', '1234567890', '-1', '1.5mb', '1gb', 'kb', '1e3'],
      'must be a size',
    ],
    [
      'BASE_URL',
      'baseUrl',
      {
        ...asTheyAre('http://localhost:3000/v1', `${BASE}/animals/v1`),
        // Characters that would break a Link header are encoded.
        [`${BASE}/a>b/v1`]: `${BASE}/a%3Eb/v1`,
        [`${BASE}/a b/v1`]: `${BASE}/a%20b/v1`,
        [String.raw`https:\\shop.example\v1`]: `${BASE}/v1`,
      },
      ['', '/v1/', '/v2', '/rev1', '/v1?a=b', '/v1?', '/v1#top', '/v1#']
        .map((rest) => BASE + rest)
        .concat('ftp://shop.example/v1', '//shop.example/v1', '/v1', 'shop.example/v1'),
      'must be an http or https URL',
    ],
    ['STAGING_URL', 'stagingUrl', asTheyAre(`${BASE}/v1`), [BASE], 'must be an http or https URL'],
    [
      'TRUST_PROXY',
      'trustProxy',
      {
        false: false,
        0: 0,
        99: 99,
        ...asTheyAre('10.0.0.0/8', 'loopback, linklocal,uniquelocal', 'fd00::/8, 192.0.2.7'),
      },
      [
        'true',
        'loopback linklocal',
        ...'all * -1 proxy.example loopback, 0.0.0.0/0; ,'.split(' '),
        ...'10.0.0.0/99 10.0.0.256 10.0.0 fd00::/129 1:2:3 cafe ... 10.0.0.0/0'.split(' '),
      ],
      'must be false, a number of proxies',
    ],
  ])('of %s is read, or rejected with the reason', (name, setting, good, bad, says) => {
    for (const [text, value] of Object.entries(good))
      expect([text, readSettings({ [name]: text })[setting]]).toEqual([text, value]);
    for (const text of bad) expect(() => readSettings({ [name]: text }), text).toThrow(`${name}: ${says}`);
  });

  it('counts as not set when it is empty', () => {
    expect(readSettings({ PORT: '', BASE_URL: '', LOG_LEVEL: '' })).toEqual(readSettings({}));
  });

  it.each([
    ['sqlite:./pets.db', true],
    ['mysql://db/pets', false],
  ])('DATABASE_URL=%s decides whether the schema is migrated at the start: %s', (url, migrates) => {
    expect(readSettings({ DATABASE_URL: url }).migrateOnStart).toBe(migrates);
    const told = { DATABASE_URL: url, MIGRATE_ON_START: String(!migrates) };
    expect(readSettings(told).migrateOnStart).toBe(!migrates);
  });
});

describe('a configuration with mistakes', () => {
  it('is rejected together with errors that were found before', () => {
    expect(() => readSettings({ PORT: '70000' }, [], ['.env: line 1'])).toThrow(/^\.env: line 1\nPORT: /);
  });

  it.each([
    { DATABASE_URL: 'postgres://shop:sesame@db/pets' },
    { BOOTSTRAP_API_KEY: 'sesame' },
    { REDIS_URL: 'redis://shop:sesame@db:port' },
    { BOOTSTRAP_API_KEY: `sesame ${'x'.repeat(40)}` },
  ])('is rejected without a part of the secret in the message: %j', (environment) => {
    expect(() => readSettings(environment, [AccessModule])).toThrow(/^[A-Z_]+: (?!.*sesame)/);
  });
});
