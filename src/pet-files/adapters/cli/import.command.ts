import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DomainError } from '../../../kernel/index.js';
import { AlreadyReported, type CommandContext, StoppedBySignal } from '../../../platform/ops/index.js';
import { PetImport } from '../../application/pet-import.js';
import { petRecords } from './pet-records.js';
import { type Format, FORMATS } from './pet-text.js';
import { type ImportResult, Progress, summary } from './progress.js';

interface ImportOptions {
  readonly format?: Format;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly json?: boolean;
}

const ENDINGS: Readonly<Record<Format, RegExp>> = { csv: /\.csv$/i, ndjson: /\.(?:ndjson|jsonl)$/i };

const EXAMPLES = `
Examples:
  petstore pets import animals.csv
  petstore pets import --strict animals.ndjson 2>refused.ndjson
  zcat animals.csv.gz | petstore pets import --format csv --resume "animals of May" -`;

/** Adds the pets of a file, and resumes an import that was interrupted. */
export const importCommand = (context: CommandContext) =>
  new Command('import')
    .description('Adds a pet for each valid record. Rejected records go to standard error, as NDJSON.')
    .argument(
      '<file>',
      'a CSV file whose first line names the columns, or an NDJSON file; - is standard input',
    )
    .addOption(
      new Option('--format <format>', 'the format, if the name of the file does not show it').choices(
        FORMATS,
      ),
    )
    .option('--strict', 'check all records first, and add none if one is bad')
    .option('--dry-run', 'check all records, and store nothing')
    .option(
      '--resume <name>',
      'keep the progress under this name, so that the same command continues where it stopped',
      readImportName,
    )
    .option('--json', 'print the summary and errors as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const misuse = (why: string) => command.error(`error: ${why}`, { exitCode: 2 });
      const format = options.format ?? FORMATS.find((one) => ENDINGS[one].test(file));
      if (!format)
        return misuse(`the name of ${file} does not show its format. Add --format csv or --format ndjson.`);
      const size = await sizeOf(file);
      const { strict, dryRun } = options;
      if (strict && !dryRun && size === undefined)
        misuse(
          '--strict reads all records twice, so it needs a file. Write the output of a pipe to a file first.',
        );
      const result = await context.runWithDatabase(async (app) => {
        const pass = (act: 'check' | 'run') =>
          readOnce(context, { file, size, format }, app.get(PetImport), act, options);
        if (!strict && !dryRun) return pass('run');
        const checked = await pass('check');
        if (dryRun) return checked;
        return checked.refused > 0 ? { ...checked, added: 0 } : pass('run');
      });
      context.print(summary(result, options));
      if (result.refused > 0) throw new AlreadyReported();
    });

export class NoSuchFile extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'no_such_file';
}

/**
 * Reads a file once, either to import it or only to check it, and shows the progress. If the reading is cut off, it prints how
 * many records are stored. A signal ends the reading, but the current batch is still stored. @throws UnreadableInput,
 * NotResumable, ImportTaken, StoppedBySignal
 */
async function readOnce(
  { terminal: { stdin, stderr, signals }, print }: CommandContext,
  { file, size, format }: { file: string; size: number | undefined; format: Format },
  pets: PetImport,
  act: 'check' | 'run',
  options: ImportOptions,
): Promise<ImportResult> {
  const input: AsyncIterable<Buffer> & { bytesRead?: number } = file === '-' ? stdin : createReadStream(file);
  const progress = new Progress(stderr, size, () => input.bytesRead ?? 0);
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals) => stopping.abort(signal);
  signals.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await pets[act](petRecords(input, format, stopping.signal), progress, options.resume);
    return progress.result;
  } catch (error) {
    const stored = act === 'run' ? progress.result.records : 0;
    if (stored > 0) print(summary(progress.result, options, `cut off after ${stored} records: `));
    if ((error as Error).name !== 'AbortError') throw error;
    throw new StoppedBySignal(
      stopping.signal.reason as NodeJS.Signals,
      `${stored} records are stored. Import the records after them. With --resume NAME, the same command continues there by itself.`,
    );
  } finally {
    progress.stop();
    signals.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/**
 * The size of a file, in bytes; undefined for an input that can be read only once, such as `-`, standard input. @throws
 * NoSuchFile
 */
async function sizeOf(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new NoSuchFile(`There is no file ${file}.`);
  if (found.isDirectory()) throw new NoSuchFile(`${file} is a folder. Name a file in it.`);
  return found.isFile() ? found.size : undefined;
}

/** The name is stored in a column for 255 characters. */
function readImportName(text: string): string {
  if (text === '' || text.length > 255) throw new InvalidArgumentError('It must have 1 to 255 characters.');
  return text;
}
