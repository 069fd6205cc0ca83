import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existing } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { type Installation, installClient } from './built-client.js';
import { answer, ScriptedServer } from './scripted-server.js';
import { snippets } from './snippets.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

let installation: Installation;
beforeAll(() => void (installation = installClient()));

/** Uses an export of each kind. */
const PROGRAM = `
import { type ApiResponse, BadRequestError, type ErrorCode, type List, type Page, type Pet, PetStoreClient, PetStoreError, PetStoreUnreachable } from '@petstore/client';
const code: ErrorCode = 'pet_not_found';
// @ts-expect-error
const mistyped: ErrorCode = 'pet_not_fond';
const client = new PetStoreClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key', maxTries: 1 });
const page = (): Promise<Page<Pet>> => client.pets.listPage({ status: 'sold', timeoutMs: 10 });
const list = (): List<Pet> => client.list('/pets', { query: { id: [7n] } });
const reason = (error: unknown): unknown => error instanceof PetStoreUnreachable && error.cause;
const answer = (): Promise<{ response: ApiResponse }> => client.orders.create({ petId: 7n }).withResponse();
// @ts-expect-error
const mistaken = () => client.orders.create({ petId: '7' });
console.log(code, mistyped, [page, list, reason, answer, mistaken].length, BadRequestError.prototype instanceof PetStoreError);
`;

/** Per module resolution of the compiler: its options, and per kind of module the source file with its output file. */
const MODES: Record<string, { options: string[]; files: Record<string, string> }> = {
  nodenext: { options: ['--module', 'nodenext'], files: { 'a.mts': 'a.mjs', 'b.cts': 'b.cjs' } },
  node10: {
    options: ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'],
    files: { 'a.ts': 'a.js' },
  },
  bundler: { options: ['--module', 'esnext', '--moduleResolution', 'bundler'], files: { 'a.mts': 'a.mjs' } },
};

describe('the package of the client', () => {
  const read = (path: string) => readFileSync(join(installation.home, path), 'utf8');

  it('contains the built files, its README and its licence, and nothing else', () => {
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

  it('has no dependencies, names its repository, and imports only its own files', () => {
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

  it('has a README whose links work in the installed package', () => {
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
    it(`has types for ${mode}, and a program that is compiled with them runs`, async () => {
      const folder = join(installation.folder, mode);
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
      for (const file of Object.keys(files)) writeFileSync(join(folder, file), PROGRAM);
      const libraries = ['--target', 'es2020', '--lib', 'es2020,dom'];
      const common = ['--strict', '--skipLibCheck', 'false', '--skipDefaultLibCheck', ...libraries];
      const args = [COMPILER, ...common, ...options, ...Object.keys(files)];
      const compiled = await run(process.execPath, args, { cwd: folder }).catch((error: unknown) => error);
      expect((compiled as { stdout: string }).stdout).toBe('');
      for (const output of Object.values(files)) {
        const { stdout } = await run(process.execPath, [join(folder, output)]);
        expect(stdout).toBe('pet_not_found pet_not_fond 5 true\n');
      }
    });
  }

  it('cannot be published before its homepage and repository are set', async () => {
    const publish = run('npm', ['run', 'prepublishOnly'], { cwd: installation.home });
    await expect(publish).rejects.toThrow('homepage and repository are not set');
  });
});

const FUNCTIONS = [
  ['listPets', 'listPetsPage', 'createPet', 'getPet'],
  ['listOrders', 'listOrdersPage', 'createOrder', 'getOrder', 'updateOrder'],
  ['list', 'listPage', 'get', 'post', 'patch', 'del'],
].flat();

describe('a bundle with one function of the client', () => {
  let server: ScriptedServer;
  beforeAll(async () => void (server = await ScriptedServer.start()));
  afterAll(() => server.stop());

  async function bundle(name: string, program: string, minify = false): Promise<string> {
    const input = join(installation.folder, `${name}.mjs`);
    writeFileSync(input, program);
    const bundled = await rolldown({ input });
    const { output } = await bundled.generate({ minify });
    await bundled.close();
    expect(output.length).toBe(1);
    return output[0].code;
  }
  const exported = (name: string) => `export { ${name}, Transport } from '@petstore/client';`;

  const CLASSES = /\b(?:PetStoreClient|Pets|Orders)\b/g;

  it('is tested here for each function of the package', async () => {
    const all = (await import(join(installation.dist, 'index.js'))) as Record<string, unknown>;
    const functions = Object.keys(all).filter((name) => /^[a-z]/.test(name));
    expect(functions.toSorted()).toEqual(FUNCTIONS.toSorted());
  });

  it.each(FUNCTIONS)('contains no other operation, and none of the classes: %s', async (name) => {
    const code = await bundle(name, exported(name));
    const functions = [...code.matchAll(/^function (\w+)\(/gm)].map(([, found]) => found!);
    const isList = name.startsWith('list');
    // A list is read page by page.
    const needed = isList ? new Set([name, `${name.replace('Page', '')}Page`]) : new Set([name]);
    expect(new Set(functions.filter((found) => FUNCTIONS.includes(found)))).toEqual(needed);
    expect(code.match(CLASSES)).toBeNull();
    expect([code.includes('nextCursor'), code.includes('/store/orders'), code.includes('PATCH')]).toEqual([
      isList,
      /Order/.test(name),
      /updateOrder|patch/.test(name),
    ]);
  });

  it('is smaller than the whole client, and works', async () => {
    const program = `
      import { createPet, Transport } from '@petstore/client';
      const transport = new Transport({ baseUrl: process.env.PETSTORE_URL });
      console.log(JSON.stringify(await createPet(transport, { name: 'Rex', categoryId: 2n ** 63n - 1n })));`;
    const code = await bundle('program', program, true);
    const everything = `export * from '@petstore/client';`;
    const whole = await bundle('whole', everything, true);
    expect(code.length).toBeLessThan(whole.length * 0.85);
    expect(new Set((await bundle('readable', everything)).match(CLASSES)).size).toBe(3);
    const file = join(installation.folder, 'bundled.mjs');
    writeFileSync(file, code);
    server.does(answer(201, '{"id":1,"categoryId":9223372036854775807}'));
    const env = { PETSTORE_URL: `${server.origin}/v1`, PETSTORE_API_KEY: 'psk_test_key' };
    const { stdout } = await run(process.execPath, [file], { env });
    expect(JSON.parse(stdout)).toEqual({ id: '1', categoryId: '9223372036854775807' });
    expect(server.arrivals).toMatchObject([{ body: '{"name":"Rex","categoryId":9223372036854775807}' }]);
  });
});

const [making, ...others] = snippets('c?js');

/** A snippet without a client of its own uses the client of the first snippet. */
const programs = [
  making!,
  ...others.map((code) => (/new (?:PetStoreClient|Transport)\(/.test(code) ? code : making + code)),
];

/** TypeScript checks module snippets as `.mts`, and snippets with `require` only as JavaScript. */
const fileOf = (program: string, i: number, kind: 'js' | 'ts') =>
  program.includes('require(') ? `${i}.cjs` : `${i}.m${kind}`;

/** The output that a snippet states in its comment. */
const promised = (program: string) =>
  [...program.matchAll(/console\.log\(.*\)[;,] \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join('');

describe('the README of the client', () => {
  let service: Service;
  beforeAll(async () => {
    const url = `sqlite:${join(installation.folder, 'pets.db')}`;
    service = await startService(existing({ url }));
    for (const kind of ['js', 'ts'] as const)
      programs.forEach((program, i) =>
        writeFileSync(join(installation.folder, fileOf(program, i, kind)), program),
      );
  });
  afterAll(() => service.stop());

  it('has programs that run one after the other and print the documented output', async () => {
    const env = {
      ...process.env,
      PETSTORE_URL: `http://127.0.0.1:${service.port}/v1`,
      PETSTORE_API_KEY: service.secret,
    };
    expect(programs.length).toBeGreaterThan(6);
    for (const [i, program] of programs.entries()) {
      const file = join(installation.folder, fileOf(program, i, 'js'));
      const { stdout } = await run(process.execPath, [file], { env });
      expect(stdout, program).toBe(promised(program));
    }
  });

  it('has programs that TypeScript accepts with the published types', async () => {
    const files = programs.map((program, i) => join(installation.folder, fileOf(program, i, 'ts')));
    const strict = ['--strict', '--strictNullChecks', 'false', '--checkJs', '--noEmit'];
    const options = [...strict, '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2020'];
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--ignoreConfig'];
    const { stdout } = await run(process.execPath, [COMPILER, ...options, ...types, ...files]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
