import { writeJson } from '../../../platform/json/write-json.js';
import type { NewPetInput, Pet } from '../../../pets/index.js';
import { textCell } from './csv.js';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that the name of a file tells. */
export function formatOf(file: string): Format | undefined {
  const [, ending] = /\.(csv|ndjson|jsonl)$/i.exec(file) ?? [];
  if (ending === undefined) return undefined;
  return ending.toLowerCase() === 'csv' ? 'csv' : 'ndjson';
}

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
  layout: Layout,
): AsyncGenerator<string> {
  if (layout.format === 'csv') yield `${layout.ids ? 'id,' : ''}${PET_COLUMNS.join(',')}\n`;
  const write = layout.format === 'csv' ? csvOf : jsonOf;
  for await (const pets of pages) yield pets.map((pet) => `${write(pet, layout)}\n`).join('');
}

function csvOf(pet: Pet, layout: Layout): string {
  const cells = PET_COLUMNS.map((name) => {
    const value: string | bigint | undefined = pet[name];
    return COLUMNS[name] === 'text' ? textCell(value as string | undefined, layout) : String(value ?? '');
  });
  return (layout.ids ? [pet.id, ...cells] : cells).join(',');
}

function jsonOf(pet: Pet, { ids }: Layout): string {
  const properties = PET_COLUMNS.map((name) => [name, pet[name]]);
  return writeJson({ id: ids ? pet.id : undefined, ...(Object.fromEntries(properties) as object) });
}
