import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, bundled, spawnPetstore } from '../../support/built-service.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const PETS = 3_000;

/** Only what needs a separate process; the commands themselves are tested in the process of the tests. */
describe('the program petstore', () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-program-'));
    url = `sqlite:${join(folder, 'petstore.db')}`;
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads the file .env of its folder, and prints all of a long answer before it ends', async () => {
    const environment = { DATABASE_URL: url, MIGRATE_ON_START: 'true' };
    expect((await petstore(['pets', 'seed', '--count', String(PETS)], environment)).code).toBe(0);
    await writeFile(join(folder, '.env'), `DATABASE_URL=${url}\n`);
    const { code, stdout, stderr } = await spawnPetstore(['pets', 'export'], {}, folder).end();
    expect([code, stdout.trimEnd().split('\n').length, stderr]).toEqual([0, 1 + PETS, '']);
  });

  it('says in one line of JSON what went wrong, on standard error, and ends with its code', async () => {
    const ending = await spawnPetstore(['keys', 'show', '404', '--json'], { DATABASE_URL: url }).end();
    expect([ending.code, ending.stdout, ending.stderr.split('\n').length]).toEqual([3, '', 2]);
    expect(JSON.parse(ending.stderr)).toMatchObject({ code: 'key_not_found' });
  });

  it('helps whatever is wrong with the file .env, which it names when it needs it', async () => {
    const wrong = join(folder, 'wrong');
    await mkdir(join(wrong, '.env'), { recursive: true });
    const help = await spawnPetstore(['--help'], {}, wrong).end();
    expect([help.code, help.stderr]).toEqual([0, '']);
    const { code, stdout, stderr } = await spawnPetstore(['keys', 'list'], {}, wrong).end();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^petstore: .*\.env.*\n$/);
  });

  it('is done, whoever has read enough of what it prints', async () => {
    for (const args of [['--help'], ['keys', 'issue', '--name', 'unread']]) {
      const { code, stderr } = await spawnPetstore(args, { DATABASE_URL: url }).stopReading().end();
      expect([args, code, stderr]).toEqual([args, 0, '']);
    }
  });

  it('fails where what it prints finds no room, and says so', async () => {
    for (const args of [
      ['keys', 'list'],
      ['pets', 'export'],
    ]) {
      const command = [process.execPath, bundled('cli'), ...args];
      const shell = ['-c', 'exec "$@" > /dev/full', 'sh', ...command];
      const { code, stderr } = await Program.run('/bin/sh', shell, { DATABASE_URL: url }).end();
      expect([args, code]).toEqual([args, 1]);
      expect(stderr).toMatch(/^petstore: .*ENOSPC.*\n$/);
    }
  });
});
