import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

const REDOCLY = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');

let service: Service;
beforeAll(async () => void (service = await startService(sqlite)));
afterAll(() => service.stop());

it('sells a pet by the workflow in docs/petstore.arazzo.yaml, and again', async () => {
  const inputs = ['-i', `apiKey=${service.secret}`, '-i', 'run=1'];
  const server = `petstore=${service.client.origin}/v1`;
  const file = 'docs/petstore.arazzo.yaml';
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [REDOCLY, 'respect', file, file, '-S', server, ...inputs],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  const told = stdout + stderr;
  expect(told.match(/Steps: 5 passed, 5 total/g), told).toHaveLength(2);
  expect((await service.client.get('/v1/pets?status=sold')).json).toHaveLength(1);
});
