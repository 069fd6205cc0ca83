import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords, textCell, textOfCell } from '../../../src/pet-files/adapters/cli/csv.js';

describe('the records of CSV', () => {
  it('are one for each line, even if their cells are of different number', () => {
    expect(csvRecords(['a,b', '"c,""d"",",', 'e'])).toEqual([['a', 'b'], ['c,"d",', ''], ['e']]);
  });

  it.each([
    ['a quote that does not end', ['a,"b', 'c",d', 'e,f']],
    ['text behind a quoted cell', ['a,"b"c', '"c,d', 'e,f']],
    ['a quote in the middle of a cell', ['a,b"c"', 'c","d', 'e,f']],
  ])('%s costs its own line and no other', (_, lines) => {
    const [first, second, third] = csvRecords(lines);
    expect([first, second]).toEqual([expect.stringMatching(/^has /), expect.stringMatching(/^has /)]);
    expect(third).toEqual(['e', 'f']);
  });

  it.each([{}, { spreadsheet: true }])('keep every text that was written as a cell, with %j', (layout) => {
    const begins = fc.constantFrom('', '=', "'=", "''@");
    const text = fc.tuple(begins, fc.string({ unit: 'grapheme' })).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1 })), (records) => {
        const lines = records.map((cells) => cells.map((cell) => textCell(cell, layout)).join(','));
        const readable = lines.filter((line) => !line.includes('\n'));
        const expected = records.filter((_, i) => !lines[i]!.includes('\n'));
        expect(csvRecords(readable).map((cells) => (cells as string[]).map(textOfCell))).toEqual(expected);
      }),
    );
  });
});

describe('a text as a cell', () => {
  it.each([
    ['=1+1', `"=1+1"`, `"'=1+1"`],
    ["'=1+1", `"''=1+1"`, `"''=1+1"`],
    ["'Rex", `"'Rex"`, `"'Rex"`],
    ['', '""', '""'],
    [undefined, '', ''],
  ])('%j is %s, and %s for a spreadsheet', (text, plain, safe) => {
    expect([textCell(text, {}), textCell(text, { spreadsheet: true })]).toEqual([plain, safe]);
  });
});
