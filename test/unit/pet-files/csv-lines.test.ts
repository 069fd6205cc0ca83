import { describe, expect, it } from 'vitest';
import { csvLines } from '../../../src/pet-files/adapters/cli/csv-lines.js';
import { PET_COLUMNS } from '../../../src/pet-files/adapters/cli/pet-text.js';

async function* fileOf(...texts: string[]) {
  yield texts.map((text, i) => ({ number: i + 1, text }));
}

/** Reads a file for which these columns are required. */
async function read(required: readonly string[], ...texts: string[]) {
  const validateColumns = async (columns: readonly string[]) =>
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
    expect(line).toMatchObject({ number: 2, data: { name: '=1+1', categoryId: -7, later: '@x' } });
  });

  const REX = [{ number: 2, data: { name: ' Rex', categoryId: 7, status: 'sold' } }];
  it.each([
    ['semicolons', 'name;categoryId;status', ' Rex;7;sold'],
    ['tabs', 'name\tcategoryId\tstatus', ' Rex\t7\tsold'],
    ['semicolons beside commas in quotes', '"name";categoryId;status', '" Rex";7;"sold"'],
    ['a comma at the end', 'name,categoryId,status,', ' Rex,7,sold,'],
    ['more cells that are empty', 'name,categoryId,status', ' Rex,7,sold,,'],
    ['blanks around names, numbers and words', ' name , categoryId, status ', ' Rex, 7 , sold'],
    ['blanks in quotes', '" name ","categoryId","status"', '" Rex"," 7","sold "'],
  ])('are read as spreadsheets and people write them: with %s', async (_, head, row) => {
    expect(await read([], head, row)).toMatchObject(REX);
  });

  it('have no cell that is not empty beyond the columns', async () => {
    const [line] = await read([], 'name,categoryId,', 'Rex,7,sold');
    expect(line).toMatchObject({ problems: [{ code: 'invalid_type' }] });
    expect(line).not.toHaveProperty('data');
  });

  it('have a name for each column between others', async () => {
    await expect(read([], 'name,,categoryId')).rejects.toThrow('a column before the last one has no name');
  });

  it.each(['1.23457E+18', '1e3', '1,5E+10', '-7E-1'])(
    'have no integer with an exponent, of which a spreadsheet has dropped digits: %s',
    async (number) => {
      const [line] = await read([], 'name;categoryId', `Rex;${number}`);
      expect(line).toMatchObject({
        data: { name: 'Rex' },
        problems: [
          {
            field: 'categoryId',
            code: 'invalid_format',
            message: expect.stringContaining('format the column as'),
          },
        ],
      });
    },
  );
});
