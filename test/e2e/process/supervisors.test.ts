import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled, spawnPetstore } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/http/scrape.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLUSTER_PARENT = resolve(import.meta.dirname, '../../support/processes/cluster-parent.mjs');
const IN_MEMORY = { PORT: '0', DATABASE_URL: 'sqlite::memory:' };
const READY = /Pet Store +(http:\S+)\/v1\n/;
/** Prints each signal that reaches the service, and does nothing in the processes of npm. */
const TELL = `if (process.argv[1]?.endsWith('main.js')) process.on('SIGTERM', () => console.log('told'))`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-supervisors-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('npm start', () => {
  const npmStart = (cwd: string, more: Record<string, string>) => {
    const { PATH = '' } = process.env;
    return Program.run('npm', ['start'], { PATH, HOME: folder, ...more }, cwd);
  };

  it('passes a signal on, once, and ends when the service has stopped', async () => {
    const npm = npmStart(ROOT, {
      // A build would remove the files of programs that other tests start meanwhile.
      npm_config_ignore_scripts: 'true',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
      ...IN_MEMORY,
    });
    await npm.printed(READY);
    const { code, output } = await npm.stop();
    expect([code, output.match(/told/g)]).toEqual([0, ['told']]);
    expect(output).toContain('Stopping after SIGTERM');
  });

  it('says what is missing without development dependencies, and what to do', async () => {
    copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const { code, stderr } = await npmStart(folder, { NODE_ENV: 'production' }).end();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^npm start builds .* development dependencies .* npm ci --include=dev, .*\.\n$/);
  });
});

describe('a service that was forked by node:cluster, as pm2 does', () => {
  const start = (environment: Record<string, string>, count = 1) =>
    Program.start(CLUSTER_PARENT, [bundled('main'), String(count)], { ...IN_MEMORY, ...environment }, folder);

  it('responds, logs, counts and ends as a service without a parent', async ({ onTestFinished }) => {
    const service = start({ METRICS_PORT: '0' });
    onTestFinished(async () => void (await service.stop()));
    const [, origin] = await service.printed(READY);
    const [, metrics] = await service.printed(/Serving (http:\S+)\/metrics/);
    expect((await fetch(`${origin}/v1/pets`)).status).toBe(401);
    await service.printed(/^{"level":30,"time":\d+,"context":"Request",[^\n]*"msg":"GET listPets 401"}$/m);
    const scrape = await Scrape.of(`${metrics}/metrics`);
    expect(scrape.value('petstore_http_requests_total', { operation: 'listPets', status: '401' })).toBe(1);
    const { code, output } = await service.stop();
    expect([code, output]).toEqual([0, expect.stringContaining('Stopping after SIGTERM')]);
  });

  it('reports once why it cannot start, and exits with 1', async () => {
    const { code, stdout, stderr } = await start({ PORT: 'x' }).end();
    expect([code, stdout, stderr]).toEqual([1, '', 'PORT: must be a whole number from 0 to 65535\n']);
  });

  it('serves the metrics of its own process, not of another process with the same port', async ({
    onTestFinished,
  }) => {
    const services = start({ METRICS_PORT: '0' }, 2);
    onTestFinished(async () => void (await services.stop()));
    const ports = () =>
      [...services.output.matchAll(/Serving http:\S+:(\d+)\/metrics/g)].map(([, port]) => port);
    await eventually(async () => expect(new Set(ports()).size).toBe(2));
  });
});

describe('petstore serve', () => {
  const serve = (environment: Record<string, string>) =>
    spawnPetstore(['serve'], { ...IN_MEMORY, ...environment }, folder);

  it('prints nothing in production, where programs read the log', async () => {
    const service = serve({ NODE_ENV: 'production' });
    await service.printed(/"msg":"Ready: http:\S+\/v1"/);
    const { code, stdout, stderr } = await service.stop();
    expect([code, stdout]).toEqual([0, '']);
    const contexts = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(contexts.at(-1)).toHaveProperty('context', 'Stop');
  });

  it('is suggested when main.js is started with the arguments of a command', async () => {
    const { code, output } = await Program.start(bundled('main'), ['keys', 'issue'], {}, folder).end();
    expect([code, output]).toEqual([
      1,
      'main.js starts the service and takes no arguments. For a command: petstore keys issue, or npm run -s petstore -- keys issue\n',
    ]);
  });

  it('accepts no arguments', async () => expect((await petstore(['serve', 'pets'], {})).code).toBe(2));
});
