import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../client/src/client-options.js';
import { type Installation, installClient } from '../client/built-client.js';
import { answer, breakOff, drop, keepSilent, refuse, ScriptedServer } from '../client/scripted-server.js';
import { sqlite } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { installByLock } from './support/install.js';

const SOURCE = resolve(import.meta.dirname, 'runtimes');
const run = promisify(execFile);

/** Arguments to run a program in each runtime; Deno also checks the types, and may only connect to this machine. */
const RUNTIMES: Readonly<Record<string, string[]>> = {
  deno: ['run', '--check', '--no-prompt', '--allow-net=127.0.0.1'],
  bun: ['run', '--no-install'],
};
/** The arguments that allow a program to read its base URL and its key from the environment, as the README says. */
const ALLOWED: Readonly<Record<string, string[]>> = {
  deno: ['--allow-env=PETSTORE_URL,PETSTORE_API_KEY'],
  bun: [],
};
const refusals = (deno: (variable: string) => string) =>
  [
    ['base URL', 'baseUrl', 'PETSTORE_URL'],
    ['API key', 'apiKey', 'PETSTORE_API_KEY'],
  ]
    .map(
      ([what, option, variable]) =>
        `TypeError: There is no ${what}: give the option ${option}, or set ${variable} in the environment${deno(variable!)}.\n`,
    )
    .join('');
const REFUSALS: Readonly<Record<string, string>> = {
  deno: refusals((variable) => ` and allow it: --allow-env=${variable}`),
  bun: refusals(() => ''),
};

describe('The client as it is published', () => {
  let runtimes: string;
  let installation: Installation;
  let service: Service;
  let faulty: ScriptedServer;
  beforeAll(async () => {
    const installed = installByLock(SOURCE);
    // In parallel with the installation of the runtimes.
    installation = installClient();
    runtimes = await installed;
    for (const name of ['program.ts', 'without-environment.ts'])
      cpSync(join(SOURCE, name), join(installation.folder, name));
    service = await startService(sqlite);
    for (const name of ['Ada', 'Bea', 'Cid']) await service.client.post('/v1/pets', { name, categoryId: 7 });
    faulty = await ScriptedServer.start();
  });
  afterAll(async () => {
    await faulty?.stop();
    await service?.stop();
  });

  /** Runs a program with a runtime. @returns what it prints */
  async function outputOf(
    runtime: string,
    args: string[],
    environment: Record<string, string> = {},
  ): Promise<string> {
    const { PATH = '' } = process.env;
    // Caches go into the client's folder.
    const env = {
      PATH,
      HOME: installation.folder,
      NO_COLOR: '1',
      DENO_NO_UPDATE_CHECK: '1',
      ...environment,
    };
    const cwd = installation.folder;
    const { stdout } = await run(join(runtimes, 'node_modules/.bin', runtime), args, { cwd, env });
    return stdout;
  }

  it.each(Object.entries(RUNTIMES))(
    'says where it looks for its base URL and its key: %s',
    async (runtime, args) => {
      const program = join(installation.folder, 'without-environment.ts');
      expect(await outputOf(runtime, [...args, program])).toBe(REFUSALS[runtime]);
    },
  );

  it.each(Object.entries(RUNTIMES))(
    'lists, creates, reads, reports errors, and retries: %s',
    async (runtime, args) => {
      const before = (await service.client.get('/v1/pets?limit=100')).json as unknown as { name: string }[];
      const mia = { id: 1, name: 'Mia', categoryId: 7, status: 'available' };
      const overloaded = refuse(503, 'overloaded', { 'Retry-After': '1' });
      faulty.does(overloaded, drop, breakOff, keepSilent, answer(201, mia));

      const program = join(installation.folder, 'program.ts');
      const url = `http://127.0.0.1:${service.port}/v1`;
      const values = [url, `${faulty.origin}/v1`];
      const stdout = await outputOf(runtime, [...args, ...ALLOWED[runtime]!, program, ...values], {
        PETSTORE_URL: url,
        PETSTORE_API_KEY: service.secret,
      });

      const rex = {
        id: expect.any(String) as string,
        name: 'Rex 🐕',
        categoryId: '9223372036854775807',
        status: 'available',
      };
      expect(JSON.parse(stdout)).toEqual({
        names: before.map(({ name }) => name),
        secondNames: before.map(({ name }) => name),
        created: rex,
        isSame: true,
        read: rex,
        newest: rex,
        listed: rex,
        refused: [true, 'validation_failed', '/name'],
        stranger: [true, 401, 'invalid_api_key'],
        lucky: { ...mia, id: '1', categoryId: '7' },
      });
      const tries = faulty.arrivals.map(({ headers, body }) => [headers['idempotency-key'], body]);
      // On a slow machine more tries time out.
      expect(tries.length).toBeGreaterThanOrEqual(5);
      expect(new Set(tries.map(String)).size).toBe(1);
      // The README states the version that is in the lock file.
      const agents = faulty.arrivals.map(({ headers }) => headers['user-agent']!);
      const [, client, version] = new RegExp(`^petstore-client/(\\S+) ${runtime}/(\\d+\\.\\d+)`, 'i').exec(
        agents[0]!,
      )!;
      expect(client).toBe(VERSION);
      expect(readFileSync(join(installation.home, 'README.md'), 'utf8')).toMatch(
        new RegExp(`${runtime} ${version}`, 'i'),
      );
    },
  );
});
