import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled, spawnPetstore, startBundled } from '../../support/built-service.js';
import { keepProcess } from '../../support/processes/keeper.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const PETS = 3_000;

/** Only behaviour that needs a separate process; the commands themselves are tested in the process of the tests. */
describe('the program petstore', () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-program-'));
    url = `sqlite:${join(folder, 'petstore.db')}`;
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads the file .env of its folder, and prints all of a long output before it ends', async () => {
    const environment = { DATABASE_URL: url, MIGRATE_ON_START: 'true' };
    expect((await petstore(['pets', 'seed', '--count', String(PETS)], environment)).code).toBe(0);
    await writeFile(join(folder, '.env'), `DATABASE_URL=${url}\n`);
    const { code, stdout, stderr } = await spawnPetstore(['pets', 'export'], {}, folder).end();
    expect([code, stdout.trimEnd().split('\n').length, stderr]).toEqual([0, 1 + PETS, '']);
  });

  it('prints its help although the file .env is broken, and names the file when it needs it', async () => {
    const wrong = join(folder, 'wrong');
    await mkdir(join(wrong, '.env'), { recursive: true });
    const help = await spawnPetstore(['--help'], {}, wrong).end();
    expect([help.code, help.stderr]).toEqual([0, '']);
    const { code, stdout, stderr } = await spawnPetstore(['keys', 'list'], {}, wrong).end();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^petstore: .*\.env.*\n$/);
  });

  it('does not open a database if a missing quote hides a setting in the file .env', async () => {
    const unquoted = join(folder, 'unquoted');
    await mkdir(unquoted);
    await writeFile(join(unquoted, '.env'), `REGION='eu\nDATABASE_URL='${url}'\n`);
    const sentence =
      /\.env: line 1 has a value in quotes that contains line 2, which begins like a setting; end the value with its quote/;
    const { code, stderr } = await spawnPetstore(['keys', 'list'], {}, unquoted).end();
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    const service = await startBundled({ MIGRATE_ON_START: 'true' }, unquoted).end();
    expect([service.code, service.stdout + service.stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(await readdir(unquoted)).toEqual(['.env']);
  });

  /** Runs the program as a person at a shell does. `$@` in `script` is the command. @returns its exit code and standard error */
  const inShell = async (script: string, args: readonly string[]) => {
    const shell = ['-c', `exec 3>&1; ${script}`, 'sh', process.execPath, bundled('cli'), ...args];
    const environment = {
      DATABASE_URL: url,
      PORT: String(await freePort()),
      PATH: process.env['PATH'] ?? '',
    };
    const { stdout, stderr } = await Program.run('/bin/sh', shell, environment).end();
    return [/ended with (\d+)\n$/.exec(stdout)?.[1], stderr];
  };
  const COMMANDS = [['--help'], ['pets', 'export']];

  it.each([
    ['>&-', COMMANDS],
    ['2>/dev/full', [['doctor']]],
    ['<&- >&- 2>&-', [['pets', 'export']]],
    ['| head -n 1 >/dev/null', [['pets', 'export']]],
  ])('succeeds and prints no error when nothing reads its output: %s', async (redirection, commands) => {
    const command = '"$@"; echo "ended with $?" >&3;';
    const script = redirection.startsWith('|')
      ? `{ ${command} } ${redirection}`
      : command.replace(';', ` ${redirection};`);
    for (const args of commands) expect([args, ...(await inShell(script, args))]).toEqual([args, '0', '']);
  });

  it('fails when its output cannot be written, and reports the reason', async () => {
    for (const args of COMMANDS) {
      const [code, stderr] = await inShell('"$@" >/dev/full; echo "ended with $?" >&3', args);
      expect([args, code, stderr]).toEqual([args, '1', expect.stringMatching(/^petstore: .*ENOSPC.*\n$/)]);
    }
  });

  it('ends on a signal although nothing reads its output', async () => {
    const pipe = join(folder, 'unread');
    execFileSync('mkfifo', [pipe]);
    const reader = await open(pipe, 'r+');
    const command = [bundled('cli'), 'pets', 'export'];
    const env = { DATABASE_URL: url };
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', reader.fd, 'ignore'] });
    const ended = once(child, 'exit');
    keepProcess(child.pid!, ended);
    await reader.read(Buffer.alloc(1));
    child.kill('SIGTERM');
    expect(await ended).toContain('SIGTERM');
    await reader.close();
  });

  it('names the database that it creates without DATABASE_URL, and creates none in production', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'petstore-commands-'));
    const migrate = (environment = {}) =>
      spawnPetstore(['db', 'migrate', '--json'], environment, elsewhere).end();
    const refused = await migrate({ NODE_ENV: 'production' });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('DATABASE_URL: must be set in production'),
    ]);
    expect(await readdir(elsewhere)).toEqual([]);
    const made = await migrate();
    expect(made.stderr).toBe(
      `petstore: created the database ${join(elsewhere, 'data/petstore.db')}, because DATABASE_URL is not set\n`,
    );
    expect((await migrate()).output).toBe('{"applied":[]}\n');
    await rm(elsewhere, { recursive: true });
  });
});
