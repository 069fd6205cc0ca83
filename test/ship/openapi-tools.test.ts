import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/engines.js';
import { keepFolder } from '../support/processes/keeper.js';
import { type Service, startService } from '../support/service.js';
import { installByLock } from './support/install.js';

const SOURCE = resolve(import.meta.dirname, 'openapi-tools');
const COMPILER = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const { PATH = '', HOME = '' } = process.env;
const execute = promisify(execFile);

const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'];

/** The command of each generator, by the name of the generator and of the program that uses its output. */
const GENERATORS: Readonly<Record<string, string>> = {
  'openapi-fetch': 'openapi-typescript openapi.json -o generated/openapi-typescript.ts',
  'hey-api': 'openapi-ts -i openapi.json -o generated/hey-api -c @hey-api/client-fetch --no-log-file',
  'swagger-typescript-api':
    'swagger-typescript-api generate -p openapi-3.0.json -o generated -n swagger-typescript-api.ts',
};

describe('Tools of other projects that read the OpenAPI document', () => {
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    service = await startService(sqlite);
    for (const name of ['Ada', 'Bea', 'Cid', 'Dot', 'Eve'])
      await service.client.post('/v1/pets', { name, categoryId: 7 });
    // No package needs its install scripts.
    const installed = await installByLock(SOURCE, '--ignore-scripts');
    folder = await mkdtemp(join(tmpdir(), 'petstore-openapi-'));
    keepFolder(folder);
    cpSync(SOURCE, folder, { recursive: true });
    symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'generated'));
    for (const file of DOCUMENTS) cpSync(join('docs', file), join(folder, file));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await service.stop();
  });

  /** Runs a program to its end. @returns its output @throws Error if it fails */
  const run = async (program: string, ...args: string[]) => {
    const env = { PATH, HOME, NO_COLOR: '1', SCARF_ANALYTICS: 'false' };
    const { stdout, stderr } = await execute(program, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(
      (error: Error & { stdout?: string }) => expect.fail(`${error.message}\n${error.stdout}`),
    );
    return stdout + stderr;
  };
  const tool = (name: string, ...args: string[]) => run(join(folder, 'node_modules/.bin', name), ...args);

  it.each(DOCUMENTS)('lint %s: Spectral, with the rules of OWASP', async (file) => {
    const args = ['lint', file, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
    expect(await tool('spectral', ...args)).toMatch(
      /^No results with a severity of 'hint' or higher found!$/m,
    );
  });

  it.each(Object.entries(GENERATORS))('generate a client without a warning: %s', async (_, command) => {
    const [name, ...args] = command.split(' ') as [string, ...string[]];
    expect(await tool(name, ...args)).not.toMatch(/warn|deprecat|failed|[⚠✖]/i);
  });

  it('generate code that compiles under `strict`', async () => {
    expect(await run(process.execPath, COMPILER, '--project', '.')).toBe('');
  });

  it.each(Object.keys(GENERATORS))(
    'generate a client that lists by Link, creates, reads and gets errors: %s',
    async (program) => {
      const before = (await service.client.get('/v1/pets?limit=100')).json as unknown as { name: string }[];
      const args = [`dist/programs/${program}.js`, `${service.stranger.origin}/v1`, service.secret];
      expect(JSON.parse(await run(process.execPath, ...args))).toEqual({
        names: before.map(({ name }) => name),
        chosen: [2, 1],
        created: 201,
        read: 'Generated',
        refused: [400, 'validation_failed'],
        stranger: [401, 'invalid_api_key'],
      });
    },
  );
});
