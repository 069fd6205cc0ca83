import { closeSync, openSync, writeSync } from 'node:fs';
import { Progress } from './progress.js';
import type { Screen } from '../../../platform/ops/cli/command-context.js';
import type { InputFile } from './input-file.js';
import { linesOf, MAX_LINE_BYTES } from './lines.js';
import type { ImportObserver, PetImport, PetLine } from '../../application/pet-import.js';
import { csvLines } from './csv-lines.js';
import type { Format } from './file-format.js';
import { type ImportResult, lineJson, lineText, resultOf } from './import-result.js';
import { ndjsonLines } from './ndjson-lines.js';

/** The options of `petstore pets import`. */
export interface ImportOptions {
  readonly format: Format;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  /** The file that refused lines are written into. */
  readonly errors?: string;
  readonly json?: boolean;
}

const NOTHING = { line: 0, added: 0, refused: 0 };

/** Imports a file and shows its progress. */
export async function runImport(
  pets: PetImport,
  input: InputFile,
  options: ImportOptions,
  screen: Screen,
): Promise<ImportResult> {
  const begin = performance.now();
  // Includes the format: read in another format, the same file is a different import.
  const source = { name: input.name, contents: await input.hash(options.format) };
  const before = options.dryRun || options.again ? NOTHING : await pets.progressOf(source);

  // A synchronous write reaches the operating system before the progress behind it is stored.
  const errors =
    options.errors === undefined ? undefined : openSync(options.errors, before.line > 0 ? 'a' : 'w');
  const progress = new Progress(input.size, screen, options.json);
  const observer: ImportObserver = {
    refused: (line) => {
      if (errors !== undefined) writeSync(errors, `${lineJson(line)}\n`);
      else progress.say(options.json ? lineJson(line) : lineText(line));
    },
    progressed: (reached) => progress.update({ done: input.position, ...reached }),
  };
  const result = (ended: typeof before) => resultOf(ended, before, performance.now() - begin);
  try {
    if (options.dryRun) return result(await pets.check(petLines(pets, input, options.format), observer));
    if (options.strict) {
      const checked = await pets.check(petLines(pets, input, options.format), observer);
      if (checked.refused > 0) return result({ ...before, refused: checked.refused });
    }
    // Only after the lines were found valid: without its progress a file could be imported twice by mistake.
    if (options.again) await pets.forget(source);
    return result(await pets.run(petLines(pets, input, options.format), observer, source));
  } finally {
    progress.stop();
    if (errors !== undefined) closeSync(errors);
  }
}

function petLines(pets: PetImport, input: InputFile, format: Format): AsyncIterable<PetLine[]> {
  const lines = linesOf(input.bytes(), MAX_LINE_BYTES);
  return format === 'csv' ? csvLines(lines, (columns) => pets.validateColumns(columns)) : ndjsonLines(lines);
}
