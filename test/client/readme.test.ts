import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.js';
import { type Installation, installClient } from './built-client.js';
import { snippets } from './snippets.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const [making, ...others] = snippets('c?js');

/** A snippet without a client of its own uses the client of the first snippet. */
const programs = [
  making!,
  ...others.map((code) => (/new (?:PetStoreClient|Transport)\(/.test(code) ? code : making + code)),
];

/** TypeScript checks module snippets as `.mts`, and those with `require` only as JavaScript. */
const fileOf = (program: string, i: number, kind: 'js' | 'ts') =>
  program.includes('require(') ? `${i}.cjs` : `${i}.m${kind}`;

/** The output that a snippet states in its comment. */
const promised = (program: string) =>
  [...program.matchAll(/console\.log\(.*\)[;,] \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join('');

describe('the README of the client', () => {
  let installation: Installation;
  let service: Service;
  beforeAll(() => void (installation = installClient()));
  beforeAll(async () => {
    const url = `sqlite:${join(installation.folder, 'pets.db')}`;
    const create = () => Promise.resolve({ url, drop: () => Promise.resolve() });
    service = await startService({ create });
    for (const kind of ['js', 'ts'] as const)
      programs.forEach((program, i) =>
        writeFileSync(join(installation.folder, fileOf(program, i, kind)), program),
      );
  });
  afterAll(() => service.stop());

  it('has programs that run one after the other and print what they promise', async () => {
    const env = {
      ...process.env,
      PETSTORE_URL: `http://127.0.0.1:${service.port}/v1`,
      PETSTORE_API_KEY: service.secret,
    };
    expect(programs.length).toBeGreaterThan(6);
    for (const [i, program] of programs.entries()) {
      const { stdout } = await run(process.execPath, [join(installation.folder, fileOf(program, i, 'js'))], {
        env,
      });
      expect(stdout, program).toBe(promised(program));
    }
  });

  it('has programs that TypeScript accepts with the published types', async () => {
    const files = programs.map((program, i) => join(installation.folder, fileOf(program, i, 'ts')));
    const options = [
      '--noEmit',
      '--checkJs',
      '--strict',
      '--strictNullChecks',
      'false',
      '--module',
      'nodenext',
      '--lib',
      'es2022',
    ];
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--ignoreConfig'];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, ...options, ...types, ...files]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
