import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/platform/config/version.js';
import { keepFolder, keepProcess } from '../support/processes/keeper.js';
import { Program } from '../support/program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { nodeOf, type NodeVersion, SHIPPED } from './support/node-version.js';
import { billOfMaterials, installedVersions, lockedVersions, namesOf } from './support/packages.js';

const { HOME = '' } = process.env;
const RUNNING = process.versions.node.split('.')[0]!;

describe('The npm package', () => {
  let folder: string;
  let archive: string;
  let files: string[];
  let assembled: string[];
  let said: string;
  const npm = (args: string[], cwd: string, { environment }: NodeVersion = nodeOf(RUNNING)) => {
    const env = { HOME, ...environment };
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 });
    if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
    return { stdout, stderr };
  };
  const homeOn = (major: string) => join(folder, `node-${major}`);
  const install = (major: string) => {
    mkdirSync(homeOn(major));
    return npm(['install', '--offline', '--loglevel', 'info', archive], homeOn(major), nodeOf(major)).stderr;
  };
  const app = (major = RUNNING) => join(homeOn(major), 'node_modules/petstore/app');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-package-'));
    keepFolder(folder);
    const tree = await TreeCopy.make();
    const { stdout } = npm(['pack', './deploy/npm', '--json', '--pack-destination', folder], tree.path('.'));
    // The JSON comes last on standard output, after other output of npm.
    const [packed] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1)) as [
      { filename: string; files: { path: string }[] },
    ];
    files = packed.files.map(({ path }) => path);
    const found = await readdir(tree.path('deploy/npm/app'), { recursive: true, withFileTypes: true });
    assembled = found.filter((entry) => entry.isFile()).map(({ name }) => name);
    await tree.remove();
    archive = join(folder, packed.filename);
    said = install(RUNNING);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contains the built service, its dependencies and the documents of its users, and nothing else', () => {
    const beside = files.filter((file) => !file.startsWith('app/'));
    const roots = new Set(beside.map((file) => file.split('/')[0]!));
    expect([...roots].toSorted().join(' ')).toBe(
      '.env.example CHANGELOG.md LICENSE README.md client deploy docs package.json',
    );
    const programs = beside.filter((file) => /^(?:client|deploy)/.test(file) && /[jt]s$/.test(file));
    expect(programs.filter((file) => !/^deploy\/otel\/\w+\.mjs$/.test(file))).toEqual([]);
    expect(beside).toContain('deploy/otel/package-lock.json');
    const packages = files.filter((file) => file.startsWith('app/node_modules/'));
    const built = files.filter((file) => file.startsWith('app/dist/'));
    expect(files.length).toBe(beside.length + packages.length + built.length + 1);
    const isPage = (file: string) => file.startsWith('app/dist/site/');
    for (const page of ['files.json', 'docs/guide.html', 'docs/guide/store.md', '.well-known/api-catalog'])
      expect(built).toContain(`app/dist/site/${page}`);
    const compiled = built.filter((file) => !isPage(file));
    const isProgram = (file: string) => /^app\/dist\/(?:[\w./-]+\.js|openapi\.json)$/.test(file);
    expect(compiled.filter((file) => !isProgram(file) || /test/.test(file))).toEqual([]);
    expect(built.length).toBeGreaterThan(150);
    // Files only for compilers and debuggers are excluded; npm itself excludes .npmignore.
    const wanted = assembled.filter((name) => !/\.d\.[cm]?ts$|\.map$|^\.npmignore$/.test(name));
    expect(files.length - beside.length).toBe(wanted.length);
  });

  it('contains the files that its documents name', () => {
    const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('app/'));
    const named = documents.flatMap((document) => {
      const text = readFileSync(join(app(), '..', document), 'utf8');
      const links = [...text.replaceAll(/^ *```.*?^ *```/gms, '').matchAll(/\]\(([^)\s#]+)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => join(dirname(document), target));
      // Paths in commands count as well.
      const inCommands = /^docs\/operations\b/.test(document)
        ? text.matchAll(/(?<![\w./])deploy\/[\w./@-]*\w/g)
        : [];
      return [...links, ...[...inCommands].map(([path]) => path)];
    });
    const isPacked = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
    const missing = [...new Set(named)].filter((path) => !isPacked(path));
    expect(missing).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['deploy/kubernetes', 'docs/operations/alerts.yml']));
    const readme = readFileSync(join(app(), '../README.md'), 'utf8');
    expect(readme).toContain('Architecture (in the source)');
  });

  it('contains exactly the package versions of the lock, and npm sbom lists them all', () => {
    expect(installedVersions(app())).toEqual(lockedVersions());
    expect(billOfMaterials(app()).toSorted()).toEqual(namesOf(lockedVersions()).toSorted());
  });

  it('installs without a registry and without warnings about engines, and runs only the script of better-sqlite3', () => {
    const runs = [...said.matchAll(/^npm info run (.*) \{ code: 0, signal: null \}$/gm)].map(
      ([, run]) => run,
    );
    expect(runs).toEqual([`petstore@${version} install`]);
    expect(said).not.toMatch(/EBADENGINE|ERESOLVE|peer dep/);
  });

  it.each([...new Set([RUNNING, SHIPPED])])('starts a working service on Node %s', async (major) => {
    if (major !== RUNNING) install(major);
    const { program, environment } = nodeOf(major);
    const run = (command: string, args: string[], more = {}) =>
      Program.run(command, args, { PATH: environment.PATH, HOME, ...more }, homeOn(major));
    const help = await run('npx', ['petstore', '--help']).end();
    expect(help.output).toContain('Usage: petstore');

    const script = join(app(major), 'dist/cli.js');
    expect((await run(program, [script, 'db', 'status']).end()).code).toBe(0);
    const service = run(program, [script, 'serve'], { PORT: '0' });
    keepProcess(service.pid, service.end());
    const [, curl] = await service.printed(/^ +(curl .*)$/m);
    expect(spawnSync('sh', ['-c', curl!], { encoding: 'utf8' }).stdout).toBe('[]');
    expect((await service.stop()).code).toBe(0);
  });
});
