import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessModule, AccessSettings } from '../../../src/access/index.js';
import { readSettings } from '../../../src/platform/config/settings.js';

const KEY = 'an-operators-own-secret-of-some-length';

const read = (environment: NodeJS.ProcessEnv) =>
  readSettings(environment, [AccessModule]).modules.get(AccessSettings) as AccessSettings;

describe('a key for the start', () => {
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'petstore-key-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([KEY, 'a'.repeat(32), 'Zz09-._~+/'.repeat(4), `${'a'.repeat(32)}==`])('may be %s', (secret) => {
    expect(read({ BOOTSTRAP_API_KEY: secret }).bootstrapSecret).toBe(secret);
  });

  it.each(['a'.repeat(31), `${'a'.repeat(31)}=`, `${KEY} ${KEY}`, `${KEY}ö`, `=${KEY}`])(
    'may not be %s',
    (secret) => {
      expect(() => read({ BOOTSTRAP_API_KEY: secret })).toThrow('must have 32 or more characters');
    },
  );

  it('may not be a mistyped key of this service', () => {
    const secret = `psk_live_${'a'.repeat(46)}`;
    expect(() => read({ BOOTSTRAP_API_KEY: secret })).toThrow(
      /^BOOTSTRAP_API_KEY: begins like a key of this service, but its check sum is wrong$/,
    );
  });

  it.each(['', '\n', '\r\n'])('may stand in a file, followed by %j', (end) => {
    const path = file('key', KEY + end);
    expect(read({ BOOTSTRAP_API_KEY_FILE: path }).bootstrapSecret).toBe(KEY);
  });

  it('is checked in the file like everywhere', () => {
    const path = file('short', 'sesame');
    expect(() => read({ BOOTSTRAP_API_KEY_FILE: path })).toThrow(
      /^BOOTSTRAP_API_KEY_FILE: must have(?!.*sesame)/,
    );
  });

  it('must not be given twice', () => {
    const environment = { BOOTSTRAP_API_KEY: KEY, BOOTSTRAP_API_KEY_FILE: file('twice', KEY) };
    expect(() => read({ ...environment, RATE_LIMIT: 'often' })).toThrow(
      /^RATE_LIMIT: must be [^]*\nBOOTSTRAP_API_KEY: is also set by BOOTSTRAP_API_KEY_FILE; keep one of the two$/,
    );
  });
});

const RATE = 'must be a number per second, minute or hour, such as 100/s, 600/m or 5000/h';

it.each<['rateLimit' | 'redisUrl', variable: string, good: [string, unknown][], bad: string[], says: string]>(
  [
    [
      'rateLimit',
      'RATE_LIMIT',
      [['600/m', { limit: 600, seconds: 60 }]],
      ['600', '0/s', '10/d', 'unlimited', ' 1/s'],
      RATE,
    ],
    [
      'redisUrl',
      'REDIS_URL',
      ['redis://127.0.0.1:6379', 'rediss://shop:sesame@r.example/2', 'redis://[::1]'].map((url) => [
        url,
        url,
      ]),
      ['redis', 'redis://', '127.0.0.1:6379', ' redis://db'],
      'must look like redis://127.0.0.1:6379',
    ],
  ],
)('The setting %s is read from %s', (setting, name, good, bad, says) => {
  for (const [text, value] of good) expect(read({ [name]: text })[setting]).toEqual(value);
  for (const text of bad) expect(() => read({ [name]: text }), text).toThrow(`${name}: ${says}`);
});
