import { describe, expect, it } from 'vitest';
import { lostTraces } from '../../../../src/platform/config/removed-settings.js';
import { readSettings } from '../../../../src/platform/config/settings.js';

describe('a variable that an earlier version read', () => {
  it.each([
    ['WORKERS', '4', /^WORKERS: no longer exists; .* a PORT of its own behind a proxy$/],
    ['REQUEST_TIMEOUT', '5000', /^REQUEST_TIMEOUT: no longer exists; .* nothing moves for 15 s is closed$/],
  ])('refuses the start, and says what takes its place: %s=%s', (name, value, message) =>
    expect(() => readSettings({ [name]: value })).toThrow(message),
  );

  it.each([
    ['STORE_ENABLED', 'false', 'issue keys without the scopes orders:read and orders:write, or delete'],
    ['STORE_ENABLED', '0', 'issue keys without the scopes orders:read and orders:write, or delete'],
    ['LOG_SAMPLE', '0.01', 'set LOG_LEVEL=warn to log failures alone, or let'],
    ['ACCESS_HISTORY_DAYS', '400', 'the history of keys is kept for ever'],
    ['SECURITY_CONTACT', 'mailto:security@shop.example', 'let the proxy in front serve'],
    ['PETS_IMPORT_DAYS', '400', 'petstore pets import --resume NAME keeps'],
  ])('refuses the start, and says what serves instead: %s=%s', (name, value, instead) =>
    expect(() => readSettings({ [name]: value })).toThrow(`${name}: no longer exists; ${instead}`),
  );

  it.each([
    ['STORE_ENABLED', 'true'],
    ['STORE_ENABLED', '1'],
    ['LOG_SAMPLE', '1'],
  ])('may ask for what is done anyway: %s=%s', (name, value) =>
    expect(readSettings({ [name]: value })).toEqual(readSettings({})),
  );

  it('may be there without a value, as in a file that several versions read', () =>
    expect(readSettings({ WORKERS: '' })).toEqual(readSettings({})));
});

describe('a collector of traces', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';

  it.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
    'that %s names would get none where nothing is loaded that sends them',
    (name) => {
      const [line] = lostTraces(
        { [name]: 'http://127.0.0.1:4318' },
        '--max-old-space-size=512 --no-require-x',
      );
      expect(line).toMatch(
        new RegExp(`^${name}: the service no longer sends traces by itself; [^\\n]+tracing.mjs`),
      );
    },
  );

  it.each([
    '--import ./tracing.mjs',
    '--enable-source-maps --import=x',
    '--require x',
    '-r x',
    ' --import x',
  ])('may get them from what is loaded by %j', (options) =>
    expect(lostTraces({ OTEL_EXPORTER_OTLP_ENDPOINT }, options)).toEqual([]),
  );

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  ])('is not missed where none is wanted: %j', (environment) =>
    expect(lostTraces(environment, '')).toEqual([]),
  );
});
