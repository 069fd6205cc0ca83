import { describe, expect, it } from 'vitest';
import { BadConfiguration, readSettings } from '../../../../src/platform/config/settings.js';

describe('a whole number', () => {
  it.each([
    ['0', 0],
    ['65535', 65_535],
  ])('may be the port %s', (PORT, port) => expect(readSettings({ PORT }).port).toBe(port));

  it.each(['65536', '-1', '80.5', '1e3', '0x50', ' 80', '80a'])('may not be the port %j', (PORT) => {
    expect(() => readSettings({ PORT })).toThrow('PORT: must be a whole number from 0 to 65535');
  });
});

describe('the bounds of the server', () => {
  it.each([
    ['MAX_CONNECTIONS', 'maxConnections', 1, 1_000_000],
    ['KEEP_ALIVE_TIMEOUT', 'keepAliveTimeout', 1_000, 600_000],
    ['MAX_IN_FLIGHT', 'maxInFlight', 1, 100_000],
    ['DB_POOL_SIZE', 'databasePoolSize', 1, 1_000],
    ['DRAIN_DELAY', 'drainDelay', 0, 60_000],
  ] as const)('%s is a whole number within its own', (name, setting, from, to) => {
    for (const value of [from, to]) expect(readSettings({ [name]: String(value) })[setting]).toBe(value);
    for (const value of [from - 1, to + 1, 'x']) {
      expect(() => readSettings({ [name]: String(value) })).toThrow(
        `${name}: must be a whole number from ${from} to ${to}`,
      );
    }
  });
});

describe('a size', () => {
  it.each([
    ['1', 1],
    ['500', 500],
    ['500b', 500],
    ['100kb', 102_400],
    ['100 KB', 102_400],
    ['2Mb', 2_097_152],
  ])('may be %s', (BODY_LIMIT, bytes) => expect(readSettings({ BODY_LIMIT }).bodyLimit).toBe(bytes));

  it.each(['0', '0kb', '1234567890', '-1', '1.5mb', '1gb', 'kb', '1e3'])('may not be %s', (BODY_LIMIT) => {
    expect(() => readSettings({ BODY_LIMIT })).toThrow('BODY_LIMIT: must be a size');
  });
});

describe('a base address', () => {
  it.each(['http://localhost:3000/v1', 'https://shop.example/animals/v1'])('may be %s', (BASE_URL) => {
    expect(readSettings({ BASE_URL }).baseUrl).toBe(BASE_URL);
  });

  it.each([
    'https://shop.example',
    'https://shop.example/v1/',
    'https://shop.example/v2',
    'https://shop.example/rev1',
    'https://shop.example/v1?a=b',
    'https://shop.example/v1?',
    'https://shop.example/v1#top',
    'https://shop.example/v1#',
    'ftp://shop.example/v1',
    '/v1',
  ])('may not be %s', (BASE_URL) => {
    expect(() => readSettings({ BASE_URL })).toThrow('BASE_URL: must be an http or https URL');
  });

  it.each(['https://shop.example/a>b/v1', 'https://shop.example/a b/v1', 'https:\\\\shop.example\\v1'])(
    'is never used in a spelling that would break a Link header: %s',
    (BASE_URL) => {
      const used = acceptedBaseUrl(BASE_URL) ?? 'https://refused.example/v1';
      expect(used).toMatch(/^https:\/\/[^<> \\]+\/v1$/);
    },
  );
});

function acceptedBaseUrl(BASE_URL: string): string | undefined {
  try {
    return readSettings({ BASE_URL }).baseUrl;
  } catch (error) {
    if (error instanceof BadConfiguration) return undefined;
    throw error;
  }
}

describe('the schema', () => {
  it.each([
    ['sqlite:./pets.db', undefined, true],
    ['mysql://db/pets', undefined, false],
    ['sqlite:./pets.db', 'false', false],
    ['mysql://db/pets', 'true', true],
  ])(
    'of %s, when MIGRATE_ON_START is %s, is brought up to date at the start: %s',
    (DATABASE_URL, flag, migrates) => {
      expect(readSettings({ DATABASE_URL, MIGRATE_ON_START: flag }).migrateOnStart).toBe(migrates);
    },
  );
});
