import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';

describe('SIGUSR2', () => {
  let folder: string;
  let service: Program;
  let origin: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-log-level-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => service.stop('SIGKILL'));

  const start = async (environment: Record<string, string>) => {
    service = startBundled(environment, folder);
    origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
  };
  const probe = () => fetch(`${origin}/livez`, { headers: { Connection: 'close' } }).then((a) => a.text());
  const probed = () => service.output.match(/"level":20[^\n]*"operation":"livez"/g)?.length ?? 0;

  it('takes the log of the running service to debug, and back', async () => {
    await start({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'error' });
    await probe();
    process.kill(service.pid, 'SIGUSR2');
    await service.printed(/"context":"LogLevel","msg":"The log level is debug until SIGUSR2 comes again"/);
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
});
