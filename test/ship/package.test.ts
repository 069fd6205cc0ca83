import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepFolder, keepProcess } from '../support/keeper.js';
import { Program } from '../support/program.js';
import { TreeCopy } from '../support/tree-copy.js';
import { SqlitePrebuild } from './support/sqlite-prebuild.js';

const { PATH = '', HOME = '' } = process.env;

describe('The npm package', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-package-'));
    keepFolder(folder);
    const prebuild = new SqlitePrebuild();
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', args, {
        cwd,
        env: { PATH, HOME, ...prebuild.environment },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });

    const tree = await TreeCopy.make();
    // Last on standard output, after what the build says.
    const report = npm(['pack', '--json', '--pack-destination', folder], tree.path('.'));
    await tree.remove();
    const [packed] = JSON.parse(report.slice(report.lastIndexOf('\n[') + 1)) as [
      { filename: string; files: { path: string }[] },
    ];
    files = packed.files.map(({ path }) => path);
    npm(['init', '--yes'], folder);
    const dependencies = [packed.filename, `better-sqlite3@${prebuild.version}`];
    npm(['install', '--omit=dev', '--prefer-offline', ...dependencies], folder);
    prebuild.remove();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds the built service and what its users read, and nothing else', () => {
    const beside = files.filter((file) => !file.startsWith('dist/'));
    expect(beside.toSorted()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs/api.md',
      'docs/operations.md',
      'package.json',
    ]);
    const built = files.filter((file) => file.startsWith('dist/'));
    expect(built.filter((file) => !/^dist\/[\w./-]+\.(?:js|css)$/.test(file) || /test/.test(file))).toEqual(
      [],
    );
    expect(built.length).toBeGreaterThan(150);
  });

  it('brings the command petstore, which starts a service that works', async () => {
    const run = (args: string[]) =>
      Program.start(join(folder, 'node_modules/petstore/dist/cli.js'), args, {}, folder);
    const help = execFileSync(join(folder, 'node_modules/.bin/petstore'), ['--help'], { encoding: 'utf8' });
    expect(help).toContain('Usage: petstore');
    expect((await run(['db', 'status']).end()).code).toBe(0);

    const [script, ...args] = [join(folder, 'node_modules/petstore/dist/cli.js'), 'serve'];
    const service = Program.start(script!, args, { PORT: '0' }, folder);
    keepProcess(service.pid, service.end());
    const [, curl] = await service.printed(/^ +(curl .*)$/m);
    expect(execFileSync('sh', ['-c', curl!]).toString()).toBe('[]');
    expect((await service.stop()).code).toBe(0);
  });
});
