import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addColumnOfPets } from '../support/column-of-pets.js';
import type { Ending } from '../support/program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';

describe('a text column that a team has added to pets', () => {
  let copy: TreeCopy;
  beforeAll(async () => (copy = await TreeCopy.make(addColumnOfPets)));
  afterAll(() => copy.remove());

  it('is exported for spreadsheets without formulas, and imported again', { timeout: 240_000 }, async () => {
    const file = (name: string) => join(copy.temporary, name);
    const pet = { name: '=1+1', categoryId: 7, status: 'sold', nickname: '=2+2' };
    writeFileSync(file('first.ndjson'), `${JSON.stringify(pet)}\n`);
    const built = await copy.run('npm', ['run', '-s', 'build']);
    expect(built.code, built.output).toBe(0);
    const [first, second] = ['first', 'second'].map((name) => `sqlite:${file(`${name}.db`)}`);
    const commands = [
      [first, 'db', 'migrate'],
      [first, 'pets', 'import', file('first.ndjson')],
      [first, 'pets', 'export', '--spreadsheet', '--out', file('first.csv')],
      [second, 'db', 'migrate'],
      [second, 'pets', 'import', file('first.csv')],
      [second, 'pets', 'export', '--out', file('second.ndjson')],
    ].map(([url, ...args]) => ({ url, args }));
    const asked = ['test/support/processes/commands.mjs', JSON.stringify(commands)];
    const { code, output } = await copy.run('node', asked);
    expect(code, output).toBe(0);
    const endings = output.trimEnd().split('\n');
    expect(
      endings.map((line) => (JSON.parse(line) as Ending).code),
      output,
    ).toEqual(commands.map(() => 0));
    const [, csv] = readFileSync(file('first.csv'), 'utf8').split('\n');
    expect(csv).toBe(`"'=1+1",7,sold,"'=2+2"`);
    expect(JSON.parse(readFileSync(file('second.ndjson'), 'utf8'))).toEqual(pet);
  });
});
