import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/platform/config/settings.js';

const KEY = 'an-operators-own-secret-of-some-length';

describe('a key for the start', () => {
  let folder: string;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'petstore-key-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([KEY, 'a'.repeat(32), 'Zz09-._~+/'.repeat(4), `${'a'.repeat(32)}==`])('may be %s', (secret) => {
    expect(readSettings({ BOOTSTRAP_API_KEY: secret }).bootstrapApiKey).toBe(secret);
  });

  it.each(['a'.repeat(31), `${'a'.repeat(31)}=`, `${KEY} ${KEY}`, `${KEY}ö`, `=${KEY}`])(
    'may not be %s',
    (secret) => {
      expect(() => readSettings({ BOOTSTRAP_API_KEY: secret })).toThrow('must have 32 or more characters');
    },
  );

  it.each(['', '\n', '\r\n'])('may stand in a file, followed by %j', (end) => {
    const path = file('key', KEY + end);
    expect(readSettings({ BOOTSTRAP_API_KEY_FILE: path }).bootstrapApiKey).toBe(KEY);
  });

  it('is checked in the file like everywhere', () => {
    const path = file('short', 'sesame');
    expect(() => readSettings({ BOOTSTRAP_API_KEY_FILE: path })).toThrow(
      /^BOOTSTRAP_API_KEY_FILE: must have(?!.*sesame)/,
    );
  });

  it('must stand in a file that can be read', () => {
    expect(() => readSettings({ BOOTSTRAP_API_KEY_FILE: join(folder, 'missing') })).toThrow('ENOENT');
  });

  it('must not be given twice', () => {
    const environment = { BOOTSTRAP_API_KEY: KEY, BOOTSTRAP_API_KEY_FILE: file('twice', KEY) };
    expect(() => readSettings(environment)).toThrow('keep one of the two');
  });
});
