import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled, spawnPetstore } from '../../support/built-service.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const READY = /Pet Store +(http:\S+)\/v1\n/;

describe('petstore serve', () => {
  let folder: string;
  let program: Program | undefined;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-serve-'));
  });
  afterAll(async () => {
    await program?.stop('SIGKILL');
    await rm(folder, { recursive: true });
  });
  const serve = (environment: Record<string, string>) =>
    (program = spawnPetstore(['serve'], { PORT: '0', ...environment }, folder));

  it('serves until it is told to stop, and ends with 0', async () => {
    const service = serve({});
    const [, origin] = await service.printed(READY);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const { code, output } = await service.stop();
    expect([code, output]).toEqual([0, expect.stringContaining('Stopping after SIGTERM')]);
  });

  it('ends as node dist/main.js does when the configuration is wrong', async () => {
    const { code, output } = await serve({ PORT: 'x' }).end();
    expect([code, output]).toEqual([1, expect.stringContaining('PORT: ')]);
  });

  it('prints nothing in production, where only the log is read, by programs', async () => {
    const service = serve({ NODE_ENV: 'production', DATABASE_URL: 'sqlite::memory:' });
    await service.printed(/"msg":"Ready: http:\S+\/v1"/);
    const { stdout, stderr } = await service.stop();
    expect(stdout).toBe('');
    expect(() =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).not.toThrow();
  });

  it('is not what a command beside main.js means', async () => {
    const { code, output } = await Program.start(bundled('main'), ['keys', 'issue'], {}, folder).end();
    expect([code, output]).toEqual([
      1,
      'main.js starts the service and takes no arguments. For a command: petstore keys issue, or npm run -s petstore -- keys issue\n',
    ]);
  });

  it('takes no arguments', async () => expect((await petstore(['serve', 'pets'], {})).code).toBe(2));
});
