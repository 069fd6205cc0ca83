import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Terminal } from '../../../platform/ops/cli/command-context.js';
import { printableLines } from '../../../platform/ops/cli/output.js';
import type { ImportObserver, PetImport, PetRecord } from '../../application/pet-import.js';
import type { ImportProgress } from '../../ports/import-ledger.js';
import { petRecords } from './pet-records.js';
import type { Format } from './pet-text.js';
import { Progress } from './progress.js';

export class NoSuchFile extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'no_such_file';
}

/** The options of `petstore pets import`. */
export interface ImportOptions {
  readonly format: Format;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  /** The name under which the progress is kept. */
  readonly resume?: string;
  readonly json?: boolean;
}

/** The result for all records, of which earlier runs have done `skipped`. */
export type ImportResult = Omit<ImportProgress, 'hash'> & { readonly skipped: number };

/** The size of a file, in bytes; undefined for what can be read only once, such as `-`, standard input. @throws NoSuchFile */
export async function sizeOf(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new NoSuchFile(`There is no file ${file}.`);
  if (found.isDirectory()) throw new NoSuchFile(`${file} is a folder. Name a file in it.`);
  return found.isFile() ? found.size : undefined;
}

/**
 * Imports a file of this size: shows the progress, and refused records as NDJSON. If it is cut off, `cutOff` gets the result of
 * what is stored. @throws UnreadableInput, NotResumable, ImportTaken
 */
export async function importFile(
  pets: PetImport,
  file: string,
  size: number | undefined,
  { format, strict, dryRun, resume }: ImportOptions,
  { stdin, stderr }: Terminal,
  cutOff: (result: ImportResult) => void,
): Promise<ImportResult> {
  const progress = new Progress(stderr, size);
  let result: ImportResult | undefined;
  /** Reads the file once. */
  const pass = async (
    work: (records: AsyncIterable<PetRecord>, observer: ImportObserver) => Promise<unknown>,
  ): Promise<ImportResult> => {
    const input: AsyncIterable<Buffer> & { bytesRead?: number } =
      file === '-' ? (stdin as AsyncIterable<Buffer>) : createReadStream(file);
    result = undefined;
    await work(petRecords(input, format), {
      refused: (record) => progress.say(printableLines(JSON.stringify(record))),
      progressed: ({ records, added, refused }) => {
        result = { records, added, refused, skipped: result?.skipped ?? records };
        progress.update(input.bytesRead ?? 0, result);
      },
    });
    return result!;
  };
  try {
    if (dryRun || strict) {
      const checked = await pass((records, observer) => pets.check(records, observer));
      if (dryRun) return checked;
      if (checked.refused > 0) return { ...checked, added: 0 };
    }
    return await pass((records, observer) => pets.run(records, observer, resume)).catch((error: unknown) => {
      if (result && result.records > 0) cutOff(result);
      throw error;
    });
  } finally {
    progress.stop();
  }
}
