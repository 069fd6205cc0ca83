import type { Terminal } from '../../../platform/ops/cli/command-context.js';
import { openFor } from '../../../platform/ops/cli/files.js';
import { type ImportObserver, NOTHING, type PetImport, type PetLine } from '../../application/pet-import.js';
import type { ImportProgress } from '../../ports/import-ledger.js';
import { csvLines } from './csv-lines.js';
import type { InputFile } from './input-file.js';
import { linesOf, ndjsonLines, textOf } from './lines.js';
import type { Format } from './pet-text.js';
import { Progress } from './progress.js';

/** The maximum length of a line: a valid pet needs at most 4,000 bytes, with each character of its name escaped. */
const MAX_LINE_BYTES = 65_536;

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

/** How an import ended: for the whole file, of which earlier runs had done `skipped` lines. */
export type ImportResult = Omit<ImportProgress, 'line'> & { readonly skipped: number };

/** Imports a file and shows its progress. */
export async function importFile(
  pets: PetImport,
  input: InputFile,
  options: ImportOptions,
  { stdout, stderr }: Terminal,
): Promise<ImportResult> {
  const { format, dryRun, strict, again, json } = options;
  // Includes the format: read in another format, the same file is a different import.
  const source = { name: input.name, contents: await input.hash(format) };
  const before = dryRun || again ? NOTHING : await pets.progressOf(source);
  const skipped = before.added + before.refused;
  const resultOf = ({ added, refused }: typeof before) => ({ added, refused, skipped });
  const lines = (): AsyncIterable<PetLine[]> => {
    const all = linesOf(input.bytes(), MAX_LINE_BYTES);
    return format === 'csv' ? csvLines(all, (columns) => pets.validateColumns(columns)) : ndjsonLines(all);
  };

  // What is refused must be written before the progress behind it is stored.
  const mode = before.line > 0 ? 'append' : 'replace';
  const errors = options.errors === undefined ? undefined : await openFor(mode, options.errors, stdout);
  const progress = new Progress(input.size, stderr, json);
  const observer: ImportObserver = {
    refused: ({ number, problems }) => {
      const asJson = JSON.stringify({ line: number, problems });
      if (errors) errors.write(`${asJson}\n`);
      else progress.say(json ? asJson : `line ${number}: ${textOf(problems)}`);
    },
    progressed: (reached) => progress.update({ done: input.position, ...reached }),
  };
  try {
    const checked = dryRun || strict ? await pets.check(lines(), observer) : NOTHING;
    if (dryRun) return resultOf(checked);
    if (checked.refused > 0) return resultOf({ ...before, refused: checked.refused });
    // Only after the lines were found valid: without its progress a file could be imported twice by mistake.
    if (again) await pets.forget(source);
    return resultOf(await pets.run(lines(), observer, source));
  } finally {
    progress.stop();
    errors?.close();
  }
}
