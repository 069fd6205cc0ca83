import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../support/built-service.js';
import { Program } from '../../support/program.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Tells of each signal that reaches the service, in the processes of npm nothing. */
const TELL = `if (process.argv[1]?.endsWith('main.js')) process.on('SIGTERM', () => console.log('told'))`;

describe('npm start', () => {
  let folder: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-npm-start-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const npmStart = (cwd: string, more: Record<string, string>) => {
    const { PATH = '' } = process.env;
    return Program.run('npm', ['start'], { PATH, HOME: folder, ...more }, cwd);
  };

  it('hands a signal on, once, and ends when the service has stopped', async () => {
    const npm = npmStart(ROOT, {
      // A build would remove the files of programs that other tests start meanwhile.
      npm_config_ignore_scripts: 'true',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
      DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`,
      MIGRATE_ON_START: 'true',
      PORT: '0',
    });
    await npm.printed(/Pet Store +http/);
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
