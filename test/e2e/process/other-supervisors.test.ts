import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { Program } from '../../support/program.js';
import { Scrape } from '../../support/http/scrape.js';

const PARENT = resolve(import.meta.dirname, '../../support/processes/cluster-parent.mjs');

describe('a service that was forked by node:cluster, as pm2 does', () => {
  let folder: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-cluster-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (environment: Record<string, string>, count = 1) =>
    Program.start(
      PARENT,
      [bundled('main'), String(count)],
      { PORT: '0', DATABASE_URL: 'sqlite::memory:', ...environment },
      folder,
    );

  it('answers, logs, counts and ends as alone', async ({ onTestFinished }) => {
    const service = start({ METRICS_PORT: '0' });
    onTestFinished(async () => void (await service.stop()));
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    const [, metrics] = await service.printed(/Serving (http:\S+)\/metrics/);
    expect((await fetch(`${origin}/v1/pets`)).status).toBe(401);
    await service.printed(/^{"level":30,"time":\d+,"context":"Request",[^\n]*"msg":"GET listPets 401"}$/m);
    const scrape = await Scrape.of(`${metrics}/metrics`);
    expect(scrape.value('petstore_http_requests_total', { operation: 'listPets', status: '401' })).toBe(1);
    const { code, output } = await service.stop();
    expect([code, output]).toEqual([0, expect.stringContaining('Stopping after SIGTERM')]);
  });

  it('says why it cannot start, once, and ends with 1', async () => {
    const { code, stdout, stderr } = await start({ PORT: 'x' }).end();
    expect([code, stdout, stderr]).toEqual([1, '', 'PORT: must be a whole number from 0 to 65535\n']);
  });

  it('serves the metrics of its own process, not of whichever has the port', async ({ onTestFinished }) => {
    const services = start({ METRICS_PORT: '0' }, 2);
    onTestFinished(async () => void (await services.stop()));
    const ports = () =>
      [...services.output.matchAll(/Serving http:\S+:(\d+)\/metrics/g)].map(([, port]) => port);
    await eventually(async () => expect(new Set(ports()).size).toBe(2));
  });
});
