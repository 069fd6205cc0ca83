import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, startBundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import { freePort } from '../../support/processes/local-program.js';
import { Program } from '../../support/program.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-output-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const REQUESTS = 500;

// The buffer for a slow reader, and the report of dropped lines: test/unit/platform/observability/output.test.ts.
it.each(['>/dev/full 2>&1', '>&- 2>&-'])(
  'A service whose output cannot be written still responds and stops in order: %s',
  async (redirected) => {
    const [port, metricsPort] = [String(await freePort()), String(await freePort())];
    const { PATH = '' } = process.env;
    const environment = { PATH, DATABASE_URL: 'sqlite::memory:', PORT: port, METRICS_PORT: metricsPort };
    const script = `exec "${process.execPath}" "${bundled('main')}" ${redirected}`;
    const service = Program.run('sh', ['-c', script], environment, folder);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await eventually(async () => (await ask('/readyz')) === 200);
    // Each request has a line in the log.
    const statuses = await Promise.all(Array.from({ length: REQUESTS }, () => ask('/v1/pets')));
    expect(new Set(statuses)).toEqual(new Set([401]));
    const metrics = await Scrape.of(`http://127.0.0.1:${metricsPort}/metrics`);
    const dropped = metrics.value('petstore_log_dropped_total')!;
    if (redirected.includes('/dev/full')) expect(dropped).toBeGreaterThanOrEqual(REQUESTS);
    expect((await service.stop()).code).toBe(0);
  },
);

it('SIGUSR2 switches the log of the running service to debug, and back', async () => {
  const service = startBundled({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'error' }, folder);
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
  const probe = () => fetch(`${origin}/livez`, { headers: { Connection: 'close' } }).then((a) => a.text());
  const probed = () => service.output.match(/"level":20[^\n]*"operation":"livez"/g)?.length ?? 0;

  await probe();
  process.kill(service.pid, 'SIGUSR2');
  await service.printed(/"context":"LogLevel","msg":"The log level is debug until the next SIGUSR2"/);
  expect(probed()).toBe(0);
  await probe();
  await eventually(async () => expect(probed()).toBe(1));
  process.kill(service.pid, 'SIGUSR2');
  await service.printed(/"context":"LogLevel","msg":"The log level is error"/);
  await probe();
  // Not even the stop is logged, which is `info`.
  const { code, output } = await service.stop();
  expect([code, output.trimEnd()]).toEqual([0, expect.stringMatching(/The log level is error"}$/)]);
});
