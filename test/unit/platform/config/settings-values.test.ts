import express from 'express';
import { describe, expect, it } from 'vitest';
import { BadConfiguration, readSettings, type Settings } from '../../../../src/platform/config/settings.js';

type Row = [
  name: string,
  setting: keyof Settings,
  good: Record<string, unknown>,
  bad: readonly string[],
  says: string,
];

const within = (name: string, setting: keyof Settings, from: number, to: number): Row => [
  name,
  setting,
  { [from]: from, [to]: to },
  [String(from - 1), String(to + 1), 'x'],
  `must be a whole number from ${from} to ${to}`,
];

const BASE = 'https://shop.example';

describe('the value of a variable', () => {
  it.each<Row>([
    [
      'PORT',
      'port',
      { 0: 0, 65535: 65_535 },
      ['65536', '-1', '80.5', '1e3', '0x50', ' 80', '80a'],
      'must be a whole number from 0 to 65535',
    ],
    within('DB_POOL_SIZE', 'databasePoolSize', 1, 1_000),
    within('MAX_CONNECTIONS', 'maxConnections', 1, 1_000_000),
    within('KEEP_ALIVE_TIMEOUT', 'keepAliveTimeout', 1_000, 600_000),
    within('MAX_IN_FLIGHT', 'maxInFlight', 1, 100_000),
    within('DRAIN_DELAY', 'drainDelay', 0, 60_000),
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
      Object.fromEntries(['http://localhost:3000/v1', `${BASE}/animals/v1`].map((url) => [url, url])),
      ['', '/v1/', '/v2', '/rev1', '/v1?a=b', '/v1?', '/v1#top', '/v1#']
        .map((rest) => BASE + rest)
        .concat('ftp://shop.example/v1', '//shop.example/v1', '/v1', 'shop.example/v1'),
      'must be an http or https URL',
    ],
    [
      'TRUST_PROXY',
      'trustProxy',
      {
        false: false,
        0: 0,
        99: 99,
        '10.0.0.0/8': '10.0.0.0/8',
        'loopback, linklocal,uniquelocal': 'loopback, linklocal,uniquelocal',
        'fd00::/8, 192.0.2.7': 'fd00::/8, 192.0.2.7',
      },
      ['true', 'all', '*', '-1', 'proxy.example', 'loopback,', '0.0.0.0/0;', 'loopback linklocal', ','],
      'must be false, a number of proxies',
    ],
  ])('of %s', (name, setting, good, bad, says) => {
    for (const [text, value] of Object.entries(good))
      expect([text, readSettings({ [name]: text })[setting]]).toEqual([text, value]);
    for (const text of bad) expect(() => readSettings({ [name]: text }), text).toThrow(`${name}: ${says}`);
  });
});

/** The setting; undefined if it is refused. */
function accepted<Name extends keyof Settings>(environment: NodeJS.ProcessEnv, name: Name) {
  try {
    return readSettings(environment)[name];
  } catch (error) {
    if (error instanceof BadConfiguration) return undefined;
    throw error;
  }
}

it.each(['https://shop.example/a>b/v1', 'https://shop.example/a b/v1', 'https:\\\\shop.example\\v1'])(
  'A base address is never used in a spelling that would break a Link header: %s',
  (BASE_URL) => {
    const used = accepted({ BASE_URL }, 'baseUrl') ?? 'https://refused.example/v1';
    expect(used).toMatch(/^https:\/\/[^<> \\]+\/v1$/);
  },
);

it.each(['10.0.0.0/99', '10.0.0.256', '10.0.0', 'fd00::/129', '1:2:3', 'cafe', '...', '100', '10.0.0.0/0'])(
  'Proxies that are no addresses are refused by the configuration, not by a crash of Express: %s',
  (TRUST_PROXY) => {
    const trusted = accepted({ TRUST_PROXY }, 'trustProxy') ?? false;
    expect(() => express().set('trust proxy', trusted)).not.toThrow();
  },
);

it.each([
  ['sqlite:./pets.db', undefined, true],
  ['mysql://db/pets', undefined, false],
  ['sqlite:./pets.db', 'false', false],
  ['mysql://db/pets', 'true', true],
])(
  'The schema of %s, when MIGRATE_ON_START is %s, is brought up to date at the start: %s',
  (DATABASE_URL, flag, migrates) => {
    expect(readSettings({ DATABASE_URL, MIGRATE_ON_START: flag }).migrateOnStart).toBe(migrates);
  },
);
