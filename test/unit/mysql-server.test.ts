import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MySqlServer } from '../support/databases/mysql-server.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-no-mysql-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('a MySQL that does not start fails no run of tests, and is named with what it says', async () => {
  const program = join(folder, 'petstore-mysql-99.7', 'mysqld');
  await mkdir(join(program, '..'));
  const script = `#!/bin/sh\n[ "$2" != --version ] && echo 'no such CPU' >&2 && exit 1\necho 'mysqld  Ver 99.7-1'`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  expect(await MySqlServer.tryToStart()).toEqual({
    said: expect.stringMatching(/^LEFT OUT, .*skipped.* 99\.7-1 does not start: [^]*no such CPU/),
  });
});
