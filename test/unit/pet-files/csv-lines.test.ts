import { describe, expect, it } from 'vitest';
import { csvLines } from '../../../src/pet-files/adapters/cli/csv-lines.js';
import { PET_COLUMNS } from '../../../src/pet-files/adapters/cli/pet-text.js';

async function* fileOf(...texts: string[]) {
  yield texts.map((text, i) => ({ number: i + 1, text }));
}

/** Reads a file for which these columns are required. */
async function read(required: readonly string[], ...texts: string[]) {
  const validateColumns = (columns: readonly string[]) =>
    required
      .filter((column) => !columns.includes(column))
      .map((field) => ({ field, code: 'required', message: 'is required' }) as const);
  const found: unknown[] = [];
  for await (const some of csvLines(fileOf(...texts), validateColumns)) found.push(...some);
  return found;
}

describe('the lines of a CSV file', () => {
  const ALL = PET_COLUMNS.join(',');
  const OPTIONAL = PET_COLUMNS.slice(2).join(', ');

  it.each([
    ['some', ['name', 'categoryId'], `columns: ${ALL} (${OPTIONAL} may be left out).`],
    ['all', PET_COLUMNS, `columns: ${ALL}.`],
  ])('begin with the columns, of which %s are required', async (_, required, sentence) => {
    await expect(read(required, 'status')).rejects.toThrow(
      `Line 1: name is required; categoryId is required`,
    );
    await expect(read(required, 'status')).rejects.toThrow(sentence);
    await expect(read(required)).rejects.toThrow(sentence);
  });

  it('have texts without the apostrophe of an export, in any column, and numbers in one', async () => {
    const [line] = await read([], 'name,categoryId,later', `'=1+1,-7,"'@x"`);
    expect(line).toEqual({ number: 2, data: { name: '=1+1', categoryId: -7, later: '@x' } });
  });
});
