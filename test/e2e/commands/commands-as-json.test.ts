import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { petstore } from '../../support/petstore.js';

/** Placeholders for any value of their type in the shapes below. */
const number = expect.any(Number) as number;
const text = expect.any(String) as string;

const name = expect.stringMatching(/^[A-Z]\w+\d{13}$/) as string;
const key = {
  id: number,
  name: 'shop',
  state: text,
  scopes: 'all',
  rate: null,
  createdAt: text,
  expiresAt: null,
  rotatedAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

describe('petstore --json', () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-json-'));
    environment = { DATABASE_URL: `sqlite:${join(folder, 'petstore.db')}` };
    await writeFile(join(folder, 'a.csv'), 'name,categoryId\nRex,7\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (words: string, on = environment) => petstore([...words.split(' '), '--json'], on);

  it('prints one line of JSON for every command, in the documented shape', { timeout: 240_000 }, async () => {
    const steps: [words: string, shape: unknown][] = [
      ['db migrate', { applied: expect.arrayContaining([text]) as string[] }],
      ['db migrate', { applied: [] }],
      ['db revert --yes', { reverted: name }],
      [
        'db status',
        expect.arrayContaining([
          { name: expect.stringMatching(/^CreatePets/) as string, applied: true, known: true },
          { name, applied: false, known: true },
        ]),
      ],
      ['keys issue --name shop', { ...key, secret: text }],
      ['keys list', [key]],
      ['keys show 1', { ...key, history: [{ act: 'issued', actor: text, at: text }] }],
      ['keys rotate 1', { ...key, secret: text }],
      ['keys revoke 1', { ...key, state: 'revoked', expiresAt: text, rotatedAt: text, revokedAt: text }],
      ['events status', []],
      ['events list nobody', []],
      ['events resend nobody', { subscriber: 'nobody', resent: 0 }],
      ['events drop nobody', { subscriber: 'nobody', dropped: 0 }],
      ['pets seed --count 3', { added: 3, refused: 0, skipped: 0, seconds: number }],
      [`pets import ${folder}/a.csv`, { added: 1, refused: 0, skipped: 0, seconds: number }],
      [`db backup ${folder}/backup.db`, { file: `${folder}/backup.db` }],
    ];
    const empty = { DATABASE_URL: `sqlite:${join(folder, 'steps.db')}` };
    for (const [words, shape] of steps) {
      const { code, stdout, stderr } = await run(words, empty);
      expect([words, code, stderr]).toEqual([words, 0, '']);
      expect(stdout.indexOf('\n'), words).toBe(stdout.length - 1);
      expect([words, JSON.parse(stdout)]).toEqual([words, shape]);
    }
  });

  it.each([
    ['keys show 404', 3, 'key_not_found'],
    ['keys show seven', 2, 'wrong_usage'],
    ['pets import nowhere.csv', 3, 'no_such_file'],
    ['db backup /tmp', 4, 'no_backup'],
    ['polish', 2, 'wrong_usage'],
  ])('prints an error as one line on standard error: %s', async (words, code, name) => {
    const ending = await run(words);
    expect([ending.code, ending.stdout, ending.stderr.split('\n').length]).toEqual([code, '', 2]);
    expect(JSON.parse(ending.stderr)).toEqual({ code: name, message: expect.any(String) as string });
  });

  it('prints only a message for an error that has no code', async () => {
    const broken = { DATABASE_URL: 'nowhere' };
    const { code, stderr } = await petstore(['db', 'status', '--json'], broken);
    expect([code, Object.keys(JSON.parse(stderr) as object)]).toEqual([1, ['message']]);
  });
});

it('petstore --version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await petstore(['--version'], {})).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});
