import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb } from '../../support/engines.js';
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

  it.skipIf(!mariaDb.installed)('does so in each process, also in one that comes later', async () => {
    const database = await mariaDb.create();
    await start({ DATABASE_URL: database.url, MIGRATE_ON_START: 'true', WORKERS: '2' });
    const pids = (pattern: RegExp) => [...service.output.matchAll(pattern)].map(([, pid]) => Number(pid));
    const started = () => pids(/"pid":(\d+)[^\n]*Listening on/g);
    const atDebug = () => pids(/"pid":(\d+)[^\n]*The log level is debug/g);
    await eventually(async () => expect(started()).toHaveLength(2));
    process.kill(service.pid, 'SIGUSR2');
    await eventually(async () => expect(atDebug().toSorted()).toEqual(started().toSorted()));
    // A signal to a worker is ignored: one that a system supervisor sends to all processes counts once.
    process.kill(started()[0]!, 'SIGUSR2');
    await probe();
    await eventually(async () => expect(probed()).toBeGreaterThan(0));
    process.kill(started()[0]!, 'SIGKILL');
    await eventually(async () => expect(started()).toHaveLength(3));
    await eventually(async () => expect(atDebug().toSorted()).toEqual(started().toSorted()));
    process.kill(service.pid, 'SIGUSR2');
    await eventually(async () => expect(pids(/"pid":(\d+)[^\n]*The log level is info/g)).toHaveLength(2));
    expect((await service.stop()).code).toBe(0);
    await database.drop();
  });
});
