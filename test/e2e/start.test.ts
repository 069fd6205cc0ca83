import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { petstore } from '../support/petstore.js';
import { onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import type { Program } from '../support/program.js';

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-start-'));
});
afterAll(() => rm(folder, { recursive: true }));

const originOf = async (program: Program) => (await program.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
const CURL = /^ +(curl .*)$/m;

describe('the service as it is started', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    const running: Program[] = [];
    const start = (more: Record<string, string> = {}, cwd = folder) => {
      const program = startBuilt({ ...environment, ...more }, cwd);
      running.push(program);
      return program;
    };
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((program) => program.stop()));
      await database.drop();
    });

    it.skipIf(!inject('curlIsInstalled'))(
      'prints a key and a curl line that works, the first time',
      async () => {
        const program = start();
        const [, curl] = await program.printed(CURL);
        expect(execFileSync('sh', ['-c', curl!]).toString()).toBe('[]');
        expect(program.output).toMatch(/Document +http:\S+\/docs and http:\S+\/openapi\.json\n/);
        expect(program.output).toMatch(/Database +(SQLite|MySQL) /);
      },
    );

    it('keeps what was added, and later says how to get a key', async () => {
      const first = start();
      const [, secret] = await first.printed(/(psk_test_\w{46})/);
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ name: 'Rex', categoryId: 7 });
      const added = await fetch(`${await originOf(first)}/v1/pets`, { method: 'POST', headers, body });
      expect(added.status).toBe(201);
      expect((await first.stop()).code).toBe(0);

      const second = start();
      await second.printed(/API key +npm run -s petstore -- keys issue --name NAME\n/);
      const list = await fetch(`${await originOf(second)}/v1/pets`, { headers });
      expect(await list.json()).toEqual([await added.json()]);
    });

    const onItsFile = async () => {
      const first = start();
      await originOf(first);
      const { code, output } = await start().end();
      expect(code).toBe(1);
      expect(output).toBe(
        `SQLite ${database.url.slice('sqlite:'.length)} belongs to another service that is running. Stop it, or set DATABASE_URL to another file.\n`,
      );
      await first.stop('SIGKILL');
      await originOf(start());
    };
    // A server has no file; nothing is left out there.
    if (engine.name === 'SQLite') it('is the only one on its file, until it ends', onItsFile);

    it('issues no key by itself in production', async () => {
      const program = start({ NODE_ENV: 'production' });
      await originOf(program);
      expect(program.output).not.toContain('psk_');
    });

    it('lets the command line issue a key while it runs', async () => {
      const origin = await originOf(start({ NODE_ENV: 'production' }));
      const { code, output } = await petstore(['keys', 'issue', '--name', 'shop', '--json'], environment);
      expect(code).toBe(0);
      const list = await fetch(`${origin}/v1/pets`, {
        headers: { Authorization: `Bearer ${(JSON.parse(output) as { secret: string }).secret}` },
      });
      expect(list.status).toBe(200);
    });

    it('is alive but not ready until somebody has migrated, if it may not do so itself', async () => {
      const program = start({ MIGRATE_ON_START: 'false', PORT: '0', LOG_LEVEL: 'info' });
      const [, port] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
      const origin = `http://127.0.0.1:${port}`;
      expect((await fetch(`${origin}/livez`)).status).toBe(200);
      for (const target of ['/readyz', '/v1/pets']) {
        const headers = { Authorization: 'Bearer a-key-that-an-operator-may-have-brought' };
        const answer = await fetch(origin + target, { headers });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await answer.json()).toMatchObject({ code: 'database_unavailable' });
      }
      expect((await petstore(['db', 'migrate'], environment)).code).toBe(0);
      await eventually(async () => (await fetch(`${origin}/readyz`)).status === 200);
    });

    it('migrates once, when five start at once', async () => {
      const outputs = await Promise.all(
        Array.from({ length: 5 }, () => petstore(['db', 'migrate'], environment)),
      );
      expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
      const applied = outputs.flatMap(({ output }) => output.match(/^applied \w+/gm) ?? []);
      const { output } = await petstore(['db', 'status', '--json'], environment);
      const states = JSON.parse(output) as { name: string; applied: boolean }[];
      expect(applied).toEqual(states.map(({ name }) => `applied ${name}`));
      expect(states.every((state) => state.applied)).toBe(true);
    });

    it('goes back, migration by migration, and forwards again', async () => {
      const names = (output: string, act: string) =>
        output.split('\n').flatMap((line) => (line.startsWith(act) ? [line.slice(act.length + 1)] : []));
      const forwards = names((await petstore(['db', 'migrate'], environment)).output, 'applied');
      const back: string[] = [];
      for (;;) {
        const [name] = names((await petstore(['db', 'revert'], environment)).output, 'reverted');
        if (!name) break;
        back.unshift(name);
      }
      expect(back).toEqual(forwards);
      expect(names((await petstore(['db', 'migrate'], environment)).output, 'applied')).toEqual(forwards);
    });
  }));

describe('the configuration', () => {
  it('is refused as a whole, by variable name, before anything starts', async () => {
    const environment = {
      PORT: '70000',
      DATABASE_URL: 'postgres://x:secret@y/z',
      LOG_LEVEL: 'loud',
      BASE_URL: 'x',
    };
    const { code, output } = await startBuilt(environment, folder).end();
    expect(code).toBe(1);
    for (const name of Object.keys(environment)) expect(output).toMatch(new RegExp(`^${name}: `, 'm'));
    expect(output).not.toContain('secret');
  });

  it('is read from a file .env, too', async () => {
    await writeFile(join(folder, '.env'), 'DATABASE_URL=sqlite::memory:\n');
    const program = startBuilt({}, folder);
    await program.printed(/Database +SQLite in memory/);
    expect((await program.stop()).code).toBe(0);
    await rm(join(folder, '.env'));
  });

  it('that names a file which is no database ends the start with the name of the file', async () => {
    const file = join(folder, 'garbage.db');
    await writeFile(file, 'this is no database, but it is long enough to be one, by far'.repeat(100));
    const { code, output } = await startBuilt({ DATABASE_URL: `sqlite:${file}` }, folder).end();
    expect(code).toBe(1);
    expect(output).toContain(file);
  });
});
