import { writeJson } from '../../../platform/json/write-json.js';
import type { Pet } from '../../domain/pet.js';
import { csvCell } from './csv.js';
import { defuse, isDefused } from './formula.js';
import type { Format } from './file-format.js';

/** How pets are written. */
export interface Layout {
  readonly format: Format;
  /** With their ids: an import would refuse these, because the service assigns them. */
  readonly ids?: boolean;
  /** For a program that takes a cell such as `=1+1` for a formula: then an apostrophe stands before the name. */
  readonly spreadsheet?: boolean;
}

/** The text of pets, a page at a time, so that an import reads the same pets again. */
export async function* textOfPets(
  pages: AsyncIterable<readonly Pet[]>,
  layout: Layout,
): AsyncGenerator<string> {
  if (layout.format === 'csv') yield `${layout.ids ? 'id,' : ''}name,categoryId,status\n`;
  const write = layout.format === 'csv' ? csvOf : jsonOf;
  for await (const pets of pages) yield pets.map((pet) => `${write(pet, layout)}\n`).join('');
}

function csvOf({ id, name, categoryId, status }: Pet, { ids, spreadsheet }: Layout): string {
  const shown = spreadsheet || isDefused(name) ? defuse(name) : name;
  return `${ids ? `${id},` : ''}${csvCell(shown)},${categoryId},${status}`;
}

function jsonOf({ id, name, categoryId, status }: Pet, { ids }: Layout): string {
  return writeJson({ id: ids ? id : undefined, name, categoryId, status });
}
