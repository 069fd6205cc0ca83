import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { welcome } from '../../../../../src/platform/ops/process/welcome.js';

const ORIGIN = 'http://127.0.0.1:3000';
const settings = readSettings({ DATABASE_URL: 'mysql://shop:sesame@db/pets' });

describe('what the terminal says when the service is ready', () => {
  it('is where the service and its document are', () => {
    const text = welcome(settings, ORIGIN);
    expect(text).toContain(`${ORIGIN}/v1\n`);
    expect(text).toContain(`${ORIGIN}/openapi.json\n`);
  });

  it('is where the pets are kept, without the password', () => {
    const text = welcome(settings, ORIGIN);
    expect(text).toContain('MySQL pets on db:3306');
    expect(text).not.toContain('sesame');
  });

  it('is how to get a key, when there are some already', () => {
    const text = welcome(settings, ORIGIN);
    expect(text).toContain('keys issue --name');
    expect(text).not.toContain('curl');
  });

  it('is the first key and a call that works with it, when there was none', () => {
    const text = welcome(settings, ORIGIN, 'psk_test_abc');
    expect(text).toContain(
      'curl -s -H "Authorization: Bearer psk_test_abc" "http://127.0.0.1:3000/v1/pets?limit=5"\n',
    );
    expect(text).not.toContain('keys issue');
  });
});
