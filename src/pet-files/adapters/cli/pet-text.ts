import { writeJson } from '../../../platform/json/index.js';
import type { NewPetInput, Pet } from '../../../pets/index.js';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * The content of each column besides the id: a text that a client has written, an integer, or a word that the service defines. A
 * new property of a pet does not compile until it is listed here, because exports would lose it.
 */
export const COLUMN_KINDS: Readonly<Record<keyof NewPetInput, 'text' | 'integer' | 'word'>> = {
  name: 'text',
  categoryId: 'integer',
  status: 'word',
};
export const PET_COLUMNS = Object.keys(COLUMN_KINDS) as (keyof NewPetInput)[];

/** How pets are written. */
export interface Layout {
  readonly format: Format;
  /** Whether to include the ids. An import rejects them, because the service assigns ids. */
  readonly ids?: boolean;
  /** Whether to prefix texts such as `=1+1` with an apostrophe, because spreadsheets would treat them as formulas. */
  readonly spreadsheet?: boolean;
}

/** Formats pets page by page, in a form that an import reads again. */
export async function* textOfPets(
  pages: AsyncIterable<readonly Pet[]>,
  { format, ids, spreadsheet }: Layout,
): AsyncGenerator<string> {
  const columns = ids ? (['id', ...PET_COLUMNS] as const) : PET_COLUMNS;
  const cellOf = (pet: Pet, name: (typeof columns)[number]) =>
    name !== 'id' && COLUMN_KINDS[name] === 'text' ? textCell(pet[name] as string, spreadsheet) : pet[name];
  const lineOf = (pet: Pet) =>
    format === 'csv'
      ? columns.map((name) => cellOf(pet, name)).join(',')
      : writeJson(Object.fromEntries(columns.map((name) => [name, pet[name]])));

  if (format === 'csv') yield `${columns.join(',')}\n`;
  for await (const pets of pages) yield pets.map((pet) => `${lineOf(pet)}\n`).join('');
}

/**
 * The beginning of a formula in spreadsheets (OWASP, CSV Injection), including the full-width characters that some programs treat
 * alike. An apostrophe before it makes it a text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const isDefused = (text: string): boolean => text.startsWith("'") && FORMULA.test(text);

/**
 * A text as a cell, always in quotes (RFC 4180 section 2). For a spreadsheet, an apostrophe is added before a text that could be
 * a formula. A text that already looks so always gets another apostrophe, because `textOfCell` removes one.
 */
export function textCell(text: string | undefined, spreadsheet = false): string {
  if (text === undefined) return '';
  const safe = isDefused(text) || (spreadsheet && FORMULA.test(text)) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The text of a cell that `textCell` has written. */
export const textOfCell = (cell: string): string => (isDefused(cell) ? cell.slice(1) : cell);
