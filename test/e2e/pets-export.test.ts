import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { petstore } from '../support/petstore.js';
import { sqlite, type TestDatabase } from '../support/engines.js';

const FORMULAS = ["'=1+1", '＝1＋1', '＋1', '－1', '＠SUM(1)', '-1', '+1', '@x', "'＝1"];
const ODD = [
  { name: 'Re"x, the first', categoryId: 7, status: 'sold' },
  { name: ' =1+1', categoryId: 7, status: 'pending' },
  { name: '=1+1', categoryId: 7, status: 'pending' },
  ...FORMULAS.map((name) => ({ name, categoryId: 1_000_008, status: 'sold' })),
  { name: '🐶 ä \u2028', categoryId: 0, status: 'available' },
];

describe('petstore pets export', () => {
  let folder: string;
  let database: TestDatabase;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-export-'));
    database = await sqlite.create();
    environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    const lines = ODD.map((pet) => `${JSON.stringify(pet)}\n`).join('');
    const exact = '{"name":"Exact","categoryId":9007199254740993}\n';
    const path = join(folder, 'odd.ndjson');
    await writeFile(path, lines + exact);
    expect((await pets('import', path)).code).toBe(0);
    expect((await pets('seed', '--count', '2500', '--seed', '7')).code).toBe(0);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const pets = (...args: string[]) => petstore(['pets', ...args], environment);
  const out = (name: string) => join(folder, name);

  it.each([
    ['csv', '--format=csv'],
    ['ndjson', '--format=ndjson'],
    ['csv', '--spreadsheet'],
  ])('writes %s with %s, which an import reads as the same pets', async (format, option) => {
    const first = out(`${option}.${format}`);
    const exported = await pets('export', option);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    await writeFile(first, exported.stdout);
    const other = await sqlite.create();
    const elsewhere = { ...environment, DATABASE_URL: other.url };
    expect((await petstore(['pets', 'import', first], elsewhere)).code).toBe(0);
    const again = await petstore(['pets', 'export', '--format', 'ndjson'], elsewhere);
    await other.drop();
    const sorted = (text: string) => text.split('\n').toSorted();
    const { stdout: before } = await pets('export', '--format', 'ndjson');
    expect(sorted(again.stdout)).toEqual(sorted(before));
    expect(again.stdout).toContain('9007199254740993');
  });

  it('writes only pets of a status, newest first, with ids on request', async () => {
    const { stdout } = await pets('export', '--status', 'pending', '--ids', '--format', 'ndjson');
    const animals = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; status: string });
    expect(new Set(animals.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(animals.map(({ id }) => id)).toEqual(animals.map(({ id }) => id).toSorted((a, b) => b - a));
  });

  it('makes formulas harmless for a spreadsheet on request only, in full-width forms too', async () => {
    const namesIn = async (...options: string[]) => {
      const { stdout } = await pets('export', '--status', 'sold', ...options);
      return stdout.split('\n').flatMap((line) => /^"(.*)",1000008,sold/.exec(line)?.[1] ?? []);
    };
    // An apostrophe that is part of the name is doubled in both.
    const plain = FORMULAS.map((name) => (name.startsWith("'") ? `'${name}` : name));
    expect((await namesIn()).toSorted()).toEqual(plain.toSorted());
    expect((await namesIn('--spreadsheet')).toSorted()).toEqual(
      FORMULAS.map((name) => `'${name}`).toSorted(),
    );
  });
});
