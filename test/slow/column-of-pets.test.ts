import { writeFileSync } from 'node:fs';
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
    /** What the last of these commands prints, on this database. */
    const last = async (url: string | undefined, ...commands: string[][]) => {
      const asked = JSON.stringify(commands.map((args) => ({ url, args })));
      const { code, output } = await copy.run('node', ['test/support/processes/commands.mjs', asked]);
      expect(code, output).toBe(0);
      const endings = output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Ending);
      expect(
        endings.map((ending) => ending.code),
        output,
      ).toEqual(commands.map(() => 0));
      return endings.at(-1)!.stdout;
    };
    const exported = await last(
      first,
      ['db', 'migrate'],
      ['pets', 'import', file('first.ndjson')],
      ['pets', 'export', '--spreadsheet'],
    );
    writeFileSync(file('first.csv'), exported);
    const again = await last(
      second,
      ['db', 'migrate'],
      ['pets', 'import', file('first.csv')],
      ['pets', 'export', '--format', 'ndjson'],
    );
    const [, csv] = exported.split('\n');
    expect(csv).toBe(`"'=1+1",7,sold,"'=2+2"`);
    expect(JSON.parse(again)).toEqual(pet);
  });
});
