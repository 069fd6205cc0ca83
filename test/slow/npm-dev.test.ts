import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/processes/local-program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { Program } from '../support/program.js';

/** Its answer tells which build runs. */
const CHANGED = 'src/platform/ops/health/health.controller.ts';

// Each compiles the whole service, which takes a minute on a busy machine.
describe('a service that is run from a fresh checkout', { timeout: 300_000 }, () => {
  let copy: TreeCopy;
  let program: Program;
  let origin: string;
  beforeEach(async () => {
    copy = await TreeCopy.make();
    origin = `http://127.0.0.1:${await freePort()}`;
  });
  afterEach(async () => {
    await program.stop('SIGKILL');
    await copy.remove();
  });

  const run = (command: string, ...args: string[]) => {
    const { PATH = '' } = process.env;
    const environment = { PATH, HOME: copy.temporary, PORT: new URL(origin).port };
    program = Program.run(command, args, environment, copy.path('.'));
  };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(origin + path, { headers: { Connection: 'close', ...headers } });
    return { status: answer.status, text: await answer.text() };
  };
  it('by npm run dev runs again at each change, with its key, its data and its pages', async () => {
    run('npm', 'run', 'dev');
    const [, key] = await program.printed(/API key +(psk_test_\w+)/);
    const Authorization = `Bearer ${key}`;
    const added = await fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: '{"name":"Rex","categoryId":7}',
    });
    expect(added.status).toBe(201);

    const source = readFileSync(copy.path(CHANGED), 'utf8');
    writeFileSync(copy.path(CHANGED), source.replace("status: 'alive'", "status: 'alive again'"));
    await eventually(async () => (await get('/livez')).text === '{"status":"alive again"}');
    await eventually(async () => (await get('/readyz')).status === 200);
    const pets = await get('/v1/pets', { Authorization });
    expect([pets.status, JSON.parse(pets.text)]).toMatchObject([200, [{ name: 'Rex' }]]);
    expect((await get('/docs/')).status).toBe(200);

    // Whoever started it ends it by its process, and nothing of it stays.
    expect((await program.stop('SIGTERM')).output).toContain('Stopping after SIGTERM');
    await expect(get('/livez')).rejects.toThrow('fetch failed');
  });

  it('by npx nest start, which builds no pages, is refused in a sentence that names the command to use', async () => {
    run('npx', 'nest', 'start');
    const { code, output } = await program.end();
    expect(code).toBe(1);
    expect(output).toMatch(/^There is no dist\/openapi\.json\. "npm run build" puts it there\.$/m);
    expect(output).not.toContain('    at ');
  });
});
