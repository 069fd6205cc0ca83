import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvRecords, MalformedCsv } from '../../../src/pets/adapters/cli/csv.js';

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
    expect([first, second]).toEqual([expect.any(MalformedCsv), expect.any(MalformedCsv)]);
    expect(third).toEqual(['e', 'f']);
  });

  it('keep every text that was written as a cell', () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 })), (records) => {
        const lines = records.map((cells) => cells.map(csvCell).join(','));
        const readable = lines.filter((line) => !line.includes('\n'));
        const expected = records.filter((_, i) => !lines[i]!.includes('\n'));
        expect(csvRecords(readable)).toEqual(expected);
      }),
    ));
});
