import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, bundled } from '../../support/built-service.js';
import { petstore } from '../../support/petstore.js';
import { Program } from '../../support/program.js';

const PETS = 3;

/** Commands as docs/operations/import-export.md has them, in bash, in a folder of their own. */
describe('commands as filters', () => {
  let folder: string;
  let environment: Record<string, string>;
  let all: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-filters-'));
    environment = {
      DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}`,
      MIGRATE_ON_START: 'true',
      PATH: process.env['PATH'] ?? '',
    };
    expect((await petstore(['pets', 'seed', '--count', String(PETS)], environment)).code).toBe(0);
    all = (await petstore(['pets', 'export'], environment)).stdout;
    expect(all.trimEnd().split('\n')).toHaveLength(1 + PETS);
  });
  afterAll(() => rm(folder, { recursive: true }));

  let here: string;
  beforeEach(async () => void (here = await mkdtemp(join(folder, 'work-'))));

  /** Runs a script in which `petstore` is the program. */
  const shell = (script: string, variables: Record<string, string> = {}) => {
    const program = `petstore() { "${process.execPath}" "${bundled('cli')}" "$@"; }; ${script}`;
    return Program.run('/bin/bash', ['--norc', '-c', program], { ...environment, ...variables }, here).end();
  };
  const read = (name: string) => readFile(join(here, name), 'utf8');

  it('replace the export of yesterday, and keep it where the database is away', async () => {
    const script = 'petstore pets export > animals.new && mv animals.new animals.csv';
    const good = await shell(`echo yesterday > animals.csv; ${script}`);
    expect([good.code, good.output, await read('animals.csv')]).toEqual([0, '', all]);
    const away = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db/none.db')}` };
    const bad = await shell(script, away);
    expect([bad.code, await read('animals.csv')]).toEqual([1, all]);
    expect(bad.stderr).not.toBe('');
  });

  it('end in order when nobody reads on', async () => {
    const { code, output } = await shell('set -o pipefail; petstore pets export | head -n 1');
    expect([code, output]).toEqual([0, all.split('\n', 1)[0] + '\n']);
  });

  it('fail where the output cannot be written', async () => {
    const { code, stderr } = await shell('petstore pets export > /dev/full');
    expect([code, stderr]).toEqual([1, expect.stringContaining('ENOSPC')]);
  });

  it.each([
    [
      'a compressed file',
      'gzip animals.csv; zcat animals.csv.gz | petstore pets import --format csv --dry-run -',
    ],
    ['a file', 'petstore pets import --dry-run animals.csv'],
    ['a redirected file', 'petstore pets import --format csv --dry-run - < animals.csv'],
    ['another command', 'petstore pets import --format csv --dry-run <(cat animals.csv)'],
  ])('read %s', async (_, script) => {
    const { code, output } = await shell(`set -o pipefail; petstore pets export > animals.csv; ${script}`);
    expect([code, output]).toEqual([0, expect.stringMatching(/^would add 3, refused 0, in [\d.]+ s\n$/)]);
  });

  it('tell by the exit code that a compressed file is cut', async () => {
    const script = 'petstore pets export | gzip | head -c 20 > animals.csv.gz; set -o pipefail';
    const { code } = await shell(`${script}; zcat animals.csv.gz | petstore pets import --format csv -`);
    expect(code).toBe(1);
  });

  it('write refused records where standard error leads, and nothing else there', async () => {
    await shell(
      `printf 'name,categoryId\n,7\nRex,7\n' > a.csv; petstore pets import --dry-run a.csv 2>refused.ndjson`,
    );
    expect(JSON.parse(await read('refused.ndjson'))).toMatchObject({
      record: 1,
      problems: [{ field: 'name' }],
    });
  });

  it('read no folder', async () => {
    const { code, stderr } = await petstore(['pets', 'import', '--format', 'csv', here], environment);
    expect([code, stderr]).toEqual([3, `petstore: ${here} is a folder. Name a file in it.\n`]);
  });
});
