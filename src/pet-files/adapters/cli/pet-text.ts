import { writeJson } from '../../../platform/json/index.js';
import type { NewPetInput, Pet } from '../../../pets/index.js';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * What is in the columns besides the id: a text that a client has written, an integer, or a word of ours. A new property of a pet
 * does not compile without one, because exports would lose it.
 */
export const COLUMNS: Readonly<Record<keyof NewPetInput, 'text' | 'integer' | 'word'>> = {
  name: 'text',
  categoryId: 'integer',
  status: 'word',
};
export const PET_COLUMNS = Object.keys(COLUMNS) as (keyof NewPetInput)[];

/** How pets are written. */
export interface Layout {
  readonly format: Format;
  /** Includes the ids. An import rejects these, because the service assigns them. */
  readonly ids?: boolean;
  /** For spreadsheets, which treat a cell such as `=1+1` as a formula: prefixes such texts with an apostrophe. */
  readonly spreadsheet?: boolean;
}

/** Formats pets page by page, so that an import reads the same pets again. */
export async function* textOfPets(
  pages: AsyncIterable<readonly Pet[]>,
  { format, ids, spreadsheet }: Layout,
): AsyncGenerator<string> {
  const columns = ids ? (['id', ...PET_COLUMNS] as const) : PET_COLUMNS;
  const cellOf = (pet: Pet, name: (typeof columns)[number]) =>
    name !== 'id' && COLUMNS[name] === 'text' ? textCell(pet[name] as string, spreadsheet) : pet[name];
  const lineOf = (pet: Pet) =>
    format === 'csv'
      ? columns.map((name) => cellOf(pet, name)).join(',')
      : writeJson(Object.fromEntries(columns.map((name) => [name, pet[name]])));

  if (format === 'csv') yield `${columns.join(',')}\n`;
  for await (const pets of pages) yield pets.map((pet) => `${lineOf(pet)}\n`).join('');
}

/**
 * How a formula begins in spreadsheets (OWASP, CSV Injection), with the full-width characters that some programs treat alike.
 * An apostrophe before it makes it text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const isDefused = (text: string): boolean => text.startsWith("'") && FORMULA.test(text);

/**
 * A text as a cell, always in quotes (RFC 4180 section 2). For a spreadsheet an apostrophe comes before what could be a formula;
 * before a text that looks so already it always does, because `textOfCell` takes one away.
 */
export function textCell(text: string | undefined, spreadsheet = false): string {
  if (text === undefined) return '';
  const safe = isDefused(text) || (spreadsheet && FORMULA.test(text)) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The text that `textCell` has written. */
export const textOfCell = (cell: string): string => (isDefused(cell) ? cell.slice(1) : cell);
