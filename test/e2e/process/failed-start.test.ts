import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../support/built-service.js';
import { Program } from '../../support/program.js';

const { PATH = '' } = process.env;
const IN_MEMORY = { PATH, PORT: '0', DATABASE_URL: 'sqlite::memory:' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-failed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a process that may open too few files', () => {
  // Each of these programs reads its modules one by one, unlike a bundle.
  it.each([
    ['main.js', 64],
    ['main.js', 24],
    ['cli.js', 64],
  ])('says so, and ends: %s with %i files', async (program, files) => {
    const script = `ulimit -n ${files} && exec "${process.execPath}" "${resolve('dist', program)}"`;
    const { code, output } = await Program.run('sh', ['-c', script], IN_MEMORY, folder).end();
    expect(output.split('\n')).toEqual([
      expect.stringMatching(
        `^The process may open only ${files} files, which is too few to load the program: `,
      ),
      '',
    ]);
    expect(output).toMatch(/ Raise the limit \(ulimit -n, LimitNOFILE\)\.\n$/);
    expect(code).toBe(1);
  });
});

// No user may create a file in this folder of the system, not even root.
const READ_ONLY = '/sys';

describe.skipIf(process.platform !== 'linux')('a folder that is read-only', () => {
  it.each<[string, string[], string, string]>([
    ['the folder of the database, in the service', ['main'], `sqlite:${READ_ONLY}/pets.db`, tmpdir()],
    ['the current folder, in the service', ['main'], '', READ_ONLY],
    [
      'the folder of the database, in a command',
      ['cli', 'db', 'migrate'],
      `sqlite:${READ_ONLY}/pets.db`,
      tmpdir(),
    ],
    ['the current folder, in a command', ['cli', 'db', 'migrate'], '', READ_ONLY],
  ])('ends the start with one sentence that says what to do: %s', async (_, [program, ...args], url, cwd) => {
    const environment = { PORT: '0', ...(url && { DATABASE_URL: url }) };
    const { code, output } = await Program.start(bundled(program!), args, environment, cwd).end();
    expect(output.split('\n')).toEqual([
      expect.stringMatching(/^(?:petstore: )?SQLite .* cannot be used: E\w+: /),
      '',
    ]);
    expect(output).toContain(`Let this user write in ${READ_ONLY}`);
    expect(code).toBe(1);
  });
});
