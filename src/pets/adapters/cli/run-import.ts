import { Progress } from '../../../platform/cli/progress.js';
import type { Screen } from '../../../platform/cli/terminal.js';
import type { InputFile } from '../../../platform/files/input-file.js';
import { linesOf } from '../../../platform/files/lines.js';
import { TextFile } from '../../../platform/files/output-file.js';
import type { ImportWatch } from '../../application/import-watch.js';
import type { PetImport } from '../../application/pet-import.js';
import type { PetLine } from '../../domain/pet-line.js';
import { csvLines } from './csv-lines.js';
import type { Format } from './file-format.js';
import { type ImportResult, resultOf } from './import-result.js';
import { ndjsonLines } from './ndjson-lines.js';
import { lineJson, lineText } from './problem-text.js';
import { MAX_LINE_BYTES } from './unreadable-line.js';

/** How the operator wants a file imported. */
export interface Wishes {
  readonly format: Format;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  /** The file that refused lines are written into. */
  readonly errors?: string;
  readonly json?: boolean;
}

const NOTHING = { line: 0, added: 0, refused: 0 };

/** Imports a file and tells of it while it does. */
export async function runImport(
  pets: PetImport,
  input: InputFile,
  wishes: Wishes,
  screen: Screen,
): Promise<ImportResult> {
  const begin = performance.now();
  // The format counts too: who named the wrong one at first has imported something else.
  const source = { name: input.name, contents: await input.hash(wishes.format) };
  const before = wishes.dryRun || wishes.again ? NOTHING : await pets.progressOf(source);

  const errors =
    wishes.errors === undefined ? undefined : new TextFile(wishes.errors, { keep: before.line > 0 });
  const progress = new Progress(input.size, screen, wishes.json);
  const watch: ImportWatch = {
    refused: (line) => {
      if (errors) errors.write(lineJson(line));
      else progress.say(wishes.json ? lineJson(line) : lineText(line));
    },
    progressed: (sofar) => progress.update({ done: input.position, ...sofar }),
  };
  const result = (ended: typeof before) => resultOf(ended, before, performance.now() - begin);
  try {
    if (wishes.dryRun) return result(await pets.check(petLines(pets, input, wishes.format), watch));
    if (wishes.strict) {
      const checked = await pets.check(petLines(pets, input, wishes.format), watch);
      if (checked.refused > 0) return result({ ...before, refused: checked.refused });
    }
    // Not before the lines are found good: what is forgotten could be imported twice by mistake.
    if (wishes.again) await pets.forget(source);
    return result(await pets.run(petLines(pets, input, wishes.format), watch, source));
  } finally {
    progress.stop();
    errors?.close();
  }
}

function petLines(pets: PetImport, input: InputFile, format: Format): AsyncIterable<PetLine[]> {
  const lines = linesOf(input.bytes(), MAX_LINE_BYTES);
  return format === 'csv'
    ? csvLines(lines, (columns) => pets.objectionsToColumns(columns))
    : ndjsonLines(lines);
}
