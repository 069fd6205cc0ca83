import { describe, expect, it } from 'vitest';
import { textCell } from '../../../src/pet-files/adapters/cli/csv.js';

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
