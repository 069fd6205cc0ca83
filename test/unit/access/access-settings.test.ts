import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessModule, AccessSettings } from '../../../src/access/index.js';
import { readSettings } from '../../../src/platform/config/settings.js';

const KEY = 'an-operators-own-secret-of-some-length';

const read = (environment: NodeJS.ProcessEnv) =>
  readSettings(environment, [AccessModule]).modules.get(AccessSettings) as AccessSettings;

describe('a bootstrap key', () => {
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'petstore-key-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  // Valid secrets are tested in api-key.test.ts.
  it('may not be short', () => {
    expect(() => read({ BOOTSTRAP_API_KEY: 'a'.repeat(31) })).toThrow('must have 32 or more characters');
  });

  it('may not be a mistyped key of this service', () => {
    const secret = `psk_live_${'a'.repeat(46)}`;
    expect(() => read({ BOOTSTRAP_API_KEY: secret })).toThrow(
      /^BOOTSTRAP_API_KEY: begins like a key of this service, but its check sum is wrong$/,
    );
  });

  it.each(['', '\n', '\r\n'])('may be read from a file, followed by %j', (end) => {
    const path = file('key', KEY + end);
    expect(read({ BOOTSTRAP_API_KEY_FILE: path }).bootstrapSecret).toBe(KEY);
  });

  it('is checked in the file as in the variable', () => {
    const path = file('short', 'sesame');
    expect(() => read({ BOOTSTRAP_API_KEY_FILE: path })).toThrow(
      /^BOOTSTRAP_API_KEY_FILE: must have(?!.*sesame)/,
    );
  });

  it('must not be set twice', () => {
    const environment = { BOOTSTRAP_API_KEY: KEY, BOOTSTRAP_API_KEY_FILE: file('twice', KEY) };
    expect(() => read({ ...environment, RATE_LIMIT: 'often' })).toThrow(
      /^RATE_LIMIT: must be [^]*\nBOOTSTRAP_API_KEY: is also set by BOOTSTRAP_API_KEY_FILE; keep one of the two$/,
    );
  });
});

it.each(['redis://127.0.0.1:6379', 'rediss://shop:sesame@r.example/2', 'redis://[::1]'])(
  'REDIS_URL may be %s',
  (url) => expect(read({ REDIS_URL: url }).redisUrl).toBe(url),
);

it.each(['redis', 'redis://', '127.0.0.1:6379', ' redis://db'])('REDIS_URL may not be "%s"', (url) => {
  expect(() => read({ REDIS_URL: url })).toThrow(
    'REDIS_URL: must be a URL that begins with redis:// or rediss://',
  );
});

it('RATE_LIMIT is a rate, and the error for another value shows an example', () => {
  expect(read({ RATE_LIMIT: '600/m' }).rateLimit).toEqual({ limit: 600, seconds: 60 });
  expect(() => read({ RATE_LIMIT: '10/d' })).toThrow(
    'RATE_LIMIT: must be a number per second, minute or hour, such as 100/s, 600/m or 5000/h',
  );
});
