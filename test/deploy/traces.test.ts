import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Copy, DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/platform/config/version.js';
import { startBundled } from '../support/built-service.js';
import { readText } from '../support/read-text.js';

const OTEL = join(import.meta.dirname, '../../deploy/otel');
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

/** The packages of deploy/otel need not be installed for these tests. */
const start = (environment: Record<string, string>, folder = tmpdir()) =>
  startBundled(
    {
      DATABASE_URL: 'sqlite::memory:',
      NODE_OPTIONS: `--import ${join(OTEL, 'tracing.mjs')}`,
      ...environment,
    },
    folder,
  );

describe('The loader that sends traces', () => {
  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL with its scheme, such as http://127.0.0.1:4318',
    ],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json'],
  ])('stops the start with an error for a value that it cannot use: %j', async (environment, line) => {
    const { code, stdout, stderr } = await start(environment).end();
    expect([code, stdout, stderr.split('\n')]).toEqual([1, '', [line, '']]);
  });

  it('also reads the file .env, which contains the settings of the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-traces-'));
    writeFileSync(join(folder, '.env'), 'PORT=0\r\nOTEL_EXPORTER_OTLP_ENDPOINT="127.0.0.1:4318"\r\n');
    const { code, stderr } = await start({}, folder).end();
    rmSync(folder, { recursive: true });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL/)]);
  });

  it.each([{}, { ...ENDPOINT, OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }])(
    'does nothing and prints nothing when traces are not configured: %j',
    async (environment) => {
      const service = start(environment);
      await service.printed(/Pet Store/);
      const { code, output } = await service.stop();
      expect([code, output]).toEqual([0, expect.not.stringMatching(/trac/i)]);
    },
  );

  it('is a layer on the image of this version, with all of its files', () => {
    const text = readText(join(OTEL, 'Dockerfile'));
    expect(validate(text)).toEqual([]);
    const dockerfile = DockerfileParser.parse(text);
    expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual([`petstore:${version}`]);
    const [copy] = dockerfile.getInstructions().filter((one) => one.getKeyword() === 'COPY') as [Copy];
    const copied = copy.getArguments().slice(0, -1);
    const files = readdirSync(OTEL).filter((file) => !['Dockerfile', 'node_modules'].includes(file));
    expect(copied.map((argument) => argument.getValue()).toSorted()).toEqual(files.toSorted());
  });

  it('installs from whichever registry npm is set to', () => {
    expect(readText(join(OTEL, 'package-lock.json'))).not.toContain('"resolved"');
  });
});
