import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepFolder, keepProcess } from '../support/keeper.js';
import { Program } from '../support/program.js';
import { TreeCopy } from '../support/tree-copy.js';

/** From the root of this tree, and from where the package is installed. */
const SQLITE = 'node_modules/better-sqlite3';
const { PATH = '', HOME = '' } = process.env;

describe('The npm package', () => {
  let folder: string;
  let files: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-package-'));
    keepFolder(folder);
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', args, {
        cwd,
        env: { PATH, HOME },
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
    // Compiling better-sqlite3 takes a minute, and is part of the test of the image; here it is taken from this tree.
    const { version } = JSON.parse(readFileSync(resolve(SQLITE, 'package.json'), 'utf8')) as {
      version: string;
    };
    const flags = ['--omit=dev', '--prefer-offline', '--ignore-scripts'];
    npm(['install', ...flags, packed.filename, `better-sqlite3@${version}`], folder);
    cpSync(resolve(SQLITE, 'build'), join(folder, SQLITE, 'build'), { recursive: true });
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
    expect(built.filter((file) => !/^dist\/[\w./-]+\.js$/.test(file) || /test/.test(file))).toEqual([]);
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
