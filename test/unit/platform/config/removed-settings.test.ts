import { describe, expect, it } from 'vitest';
import { lostTraces } from '../../../../src/platform/config/removed-settings.js';
import { readSettings } from '../../../../src/platform/config/settings.js';

describe('a variable of an earlier version', () => {
  it.each([
    ['WORKERS', '4', 'start a process for each core, each with a PORT of its own behind a proxy'],
    ['REQUEST_TIMEOUT', '5000', 'a request waits in line for 1 s at most, and a connection on which'],
    ['STORE_ENABLED', 'false', 'issue keys without the scopes orders:read and orders:write, or delete'],
    ['LOG_SAMPLE', '0.01', 'set LOG_LEVEL=warn to log failures alone, or let'],
    ['ACCESS_HISTORY_DAYS', '400', 'the history of keys is kept for ever'],
    ['SECURITY_CONTACT', 'mailto:security@shop.example', 'let the proxy in front serve'],
    ['PETS_IMPORT_DAYS', '400', 'petstore pets import --resume NAME keeps'],
  ])('stops the start, and the error names its replacement: %s=%s', (name, value, instead) =>
    expect(() => readSettings({ [name]: value })).toThrow(`${name}: no longer exists; ${instead}`),
  );

  // Harmless values, as in a file that several versions read.
  it.each([{ STORE_ENABLED: 'true' }, { STORE_ENABLED: '1' }, { LOG_SAMPLE: '1' }, { WORKERS: '' }])(
    'is accepted if it is empty or describes what the service does anyway: %j',
    (environment) => expect(readSettings(environment)).toEqual(readSettings({})),
  );
});

describe('a collector of traces', () => {
  const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const url = 'http://127.0.0.1:4318';

  it.each([ENDPOINT, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
    'that %s names causes an error if no loader that sends traces is loaded',
    (name) =>
      expect(lostTraces({ [name]: url }, '--max-old-space-size=512 --no-require-x')).toEqual([
        expect.stringMatching(`^${name}: the service no longer sends traces by itself; .+tracing.mjs`),
      ]),
  );

  it.each<[object, options: string]>([
    ...['--import ./x.mjs', '--enable-source-maps --import=x', '--require x', '-r x', ' --import x'].map(
      (options): [object, string] => [{ [ENDPOINT]: url }, options],
    ),
    [{ [ENDPOINT]: '' }, ''],
    [{ [ENDPOINT]: url, OTEL_SDK_DISABLED: 'TRUE' }, ''],
    [{ [ENDPOINT]: url, OTEL_TRACES_EXPORTER: 'none' }, ''],
  ])('causes no error if a loader is loaded, or if no traces are configured: %j %j', (environment, options) =>
    expect(lostTraces(environment as NodeJS.ProcessEnv, options)).toEqual([]),
  );
});
