import { describe, expect, it } from 'vitest';
import { textCell } from '../../../src/pet-files/adapters/cli/pet-text.js';

describe('a text as a cell', () => {
  it.each([
    ['=1+1', `"=1+1"`, `"'=1+1"`],
    ["'=1+1", `"''=1+1"`, `"''=1+1"`],
    ["'Rex", `"'Rex"`, `"'Rex"`],
    ['', '""', '""'],
    [undefined, '', ''],
  ])('%j is %s, and %s for a spreadsheet', (text, plain, safe) => {
    expect([textCell(text), textCell(text, true)]).toEqual([plain, safe]);
  });
});
