import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Installation, installClient } from './built-client.js';

const run = promisify(execFile);
const COMPILER = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Uses an export of each kind. */
const PROGRAM = `
import { type ApiResponse, BadRequestError, type ErrorCode, type Page, type Pet, PetStoreClient, PetStoreError } from '@petstore/client';
const code: ErrorCode = 'pet_not_found';
// @ts-expect-error
const mistyped: ErrorCode = 'pet_not_fond';
const client = new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key', maxTries: 1 });
const page = (): Promise<Page<Pet>> => client.pets.listPage({ status: 'sold', timeoutMs: 10 });
const answer = (): Promise<{ response: ApiResponse }> => client.orders.create({ petId: 7n }).withResponse();
// @ts-expect-error
const mistaken = () => client.orders.create({ petId: '7' });
console.log(code, mistyped, [page, answer, mistaken].length, BadRequestError.prototype instanceof PetStoreError);
`;

/** Per module resolution of the compiler: its options, and per kind of module the source file with its output file. */
const MODES: Record<string, { options: string[]; files: Record<string, string> }> = {
  nodenext: { options: ['--module', 'nodenext'], files: { 'a.mts': 'a.mjs', 'b.cts': 'b.cjs' } },
  node16: { options: ['--module', 'node16'], files: { 'a.mts': 'a.mjs', 'b.cts': 'b.cjs' } },
  node10: {
    options: ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'],
    files: { 'a.ts': 'a.js' },
  },
  bundler: { options: ['--module', 'esnext', '--moduleResolution', 'bundler'], files: { 'a.mts': 'a.mjs' } },
};

describe('the package of the client', () => {
  let installation: Installation;
  beforeAll(() => void (installation = installClient()));
  const read = (path: string) => readFileSync(join(installation.home, path), 'utf8');

  it('holds what is built, its README and its licence, and nothing else', () => {
    const files = readdirSync(installation.home, { recursive: true, encoding: 'utf8' });
    const others = files.filter((file) => !/^dist\/(?:cjs\/)?[\w-]+(?:\.d\.ts|\.js)$/.test(file));
    expect(others.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'dist/cjs',
      'dist/cjs/package.json',
      'package.json',
    ]);
    const [own, cjs] = ['dist', 'dist/cjs'].map((folder) =>
      readdirSync(join(installation.home, folder)).filter((name) => /\.d\.ts$|\.js$/.test(name)),
    );
    expect(own).toEqual(cjs);
  });

  it('needs no package, says where it comes from, and imports nothing but itself', () => {
    const { dependencies, repository, homepage } = JSON.parse(read('package.json')) as {
      dependencies?: object;
      repository: { url: string; directory: string };
      homepage: string;
    };
    expect(dependencies).toBeUndefined();
    expect([URL.canParse(repository.url), repository.directory, URL.canParse(homepage)]).toEqual([
      true,
      'client',
      true,
    ]);
    for (const folder of ['dist', 'dist/cjs']) {
      for (const name of readdirSync(join(installation.home, folder)).filter((file) =>
        file.endsWith('.js'),
      )) {
        const code = read(`${folder}/${name}`);
        const imports = [...code.matchAll(/(?:\bfrom |\bimport\(|\brequire\()['"]([^'"]+)/g)];
        expect(imports.filter(([, target]) => !target!.startsWith('./'))).toEqual([]);
      }
    }
  });

  it('has a README whose links work where it is installed', () => {
    const readme = read('README.md');
    const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target!);
    expect(links.length).toBeGreaterThan(10);
    const isThere = (link: string) =>
      link.startsWith('#') ? headings.includes(link.slice(1)) : existsSync(join(installation.home, link));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  for (const [mode, { options, files }] of Object.entries(MODES)) {
    it(`has types for ${mode}, and what is compiled with them runs`, async () => {
      const folder = join(installation.folder, mode);
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
      for (const file of Object.keys(files)) writeFileSync(join(folder, file), PROGRAM);
      const common = [
        '--strict',
        '--skipLibCheck',
        'false',
        '--skipDefaultLibCheck',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
      ];
      const args = [COMPILER, ...common, ...options, ...Object.keys(files)];
      const compiled = await run(process.execPath, args, { cwd: folder }).catch((error: unknown) => error);
      expect((compiled as { stdout: string }).stdout).toBe('');
      for (const output of Object.values(files)) {
        const { stdout } = await run(process.execPath, [join(folder, output)]);
        expect(stdout).toBe('pet_not_found pet_not_fond 3 true\n');
      }
    });
  }

  it('is not published before its addresses are those of a real place', async () => {
    const publish = run('npm', ['run', 'prepublishOnly'], { cwd: installation.home });
    await expect(publish).rejects.toThrow('homepage and repository are not set');
  });
});
