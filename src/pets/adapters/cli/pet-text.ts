import { writeJson } from '../../../platform/json/write-json.js';
import type { NewPetInput } from '../../domain/new-pet.js';
import type { Pet } from '../../domain/pet.js';
import { textCell } from './csv.js';
import type { Format } from './file-format.js';

/** How pets are written. */
export interface Layout {
  readonly format: Format;
  /** Includes the ids. An import rejects these, because the service assigns them. */
  readonly ids?: boolean;
  /** For spreadsheets, which treat a cell such as `=1+1` as a formula: prefixes such texts with an apostrophe. */
  readonly spreadsheet?: boolean;
}

type Cell = (pet: Pet, layout: Layout) => string;

/**
 * The columns besides the id. A new property of a pet does not compile without one, because exports would lose it. A text that a
 * client has written needs `textCell`.
 */
const COLUMNS: Readonly<Record<keyof NewPetInput, Cell>> = {
  name: ({ name }, layout) => textCell(name, layout),
  categoryId: ({ categoryId }) => String(categoryId),
  status: ({ status }) => status,
};
export const PET_COLUMNS = Object.keys(COLUMNS) as (keyof NewPetInput)[];
const CELLS = Object.values(COLUMNS);

/** Formats pets page by page, so that an import reads the same pets again. */
export async function* textOfPets(
  pages: AsyncIterable<readonly Pet[]>,
  layout: Layout,
): AsyncGenerator<string> {
  if (layout.format === 'csv') yield `${layout.ids ? 'id,' : ''}${PET_COLUMNS.join(',')}\n`;
  const write = layout.format === 'csv' ? csvOf : jsonOf;
  for await (const pets of pages) yield pets.map((pet) => `${write(pet, layout)}\n`).join('');
}

function csvOf(pet: Pet, layout: Layout): string {
  const cells = CELLS.map((cell) => cell(pet, layout)).join(',');
  return layout.ids ? `${pet.id},${cells}` : cells;
}

function jsonOf(pet: Pet, { ids }: Layout): string {
  const properties = PET_COLUMNS.map((name) => [name, pet[name]]);
  return writeJson({ id: ids ? pet.id : undefined, ...(Object.fromEntries(properties) as object) });
}
