import { writeJson } from '../../../platform/json/write-json.js';
import type { NewPetInput } from '../../domain/new-pet.js';
import type { Pet } from '../../domain/pet.js';
import { csvCell } from './csv.js';
import { defuse, isDefused } from './formula.js';
import type { Format } from './file-format.js';

/** How pets are written. */
export interface Layout {
  readonly format: Format;
  /** Includes the ids. An import rejects these, because the service assigns them. */
  readonly ids?: boolean;
  /** For spreadsheets, which treat a cell such as `=1+1` as a formula: prefixes such names with an apostrophe. */
  readonly spreadsheet?: boolean;
}

type Cell = (pet: Pet, layout: Layout) => string;

/** The columns besides the id. A new property of a pet does not compile without one, because exports would lose it. */
const COLUMNS: Readonly<Record<keyof NewPetInput, Cell>> = {
  name: ({ name }, { spreadsheet }) => csvCell(spreadsheet || isDefused(name) ? defuse(name) : name),
  categoryId: ({ categoryId }) => String(categoryId),
  status: ({ status }) => status,
};
const NAMES = Object.keys(COLUMNS) as (keyof NewPetInput)[];
const CELLS = Object.values(COLUMNS);

/** Formats pets page by page, so that an import reads the same pets again. */
export async function* textOfPets(
  pages: AsyncIterable<readonly Pet[]>,
  layout: Layout,
): AsyncGenerator<string> {
  if (layout.format === 'csv') yield `${layout.ids ? 'id,' : ''}${NAMES.join(',')}\n`;
  const write = layout.format === 'csv' ? csvOf : jsonOf;
  for await (const pets of pages) yield pets.map((pet) => `${write(pet, layout)}\n`).join('');
}

function csvOf(pet: Pet, layout: Layout): string {
  const cells = CELLS.map((cell) => cell(pet, layout)).join(',');
  return layout.ids ? `${pet.id},${cells}` : cells;
}

function jsonOf(pet: Pet, { ids }: Layout): string {
  const properties = NAMES.map((name) => [name, pet[name]]);
  return writeJson({ id: ids ? pet.id : undefined, ...(Object.fromEntries(properties) as object) });
}
