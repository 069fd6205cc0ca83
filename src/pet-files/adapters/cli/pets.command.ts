import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { AlreadyReported } from '../../../platform/ops/cli/errors.js';
import { BulkPets, PET_STATUSES, type PetStatus } from '../../../pets/index.js';
import { madeUpPets } from '../../application/made-up-pets.js';
import { PetImport, type PetRecord } from '../../application/pet-import.js';
import { importFile, type ImportOptions, type ImportResult, sizeOf } from './import-file.js';
import { FORMATS, formatOf, type Layout, textOfPets } from './pet-text.js';
import { Progress } from './progress.js';

const MAX_COUNT = 1_000_000_000;

const EXAMPLES = `
Examples:
  petstore pets import animals.csv
  petstore pets import --strict animals.ndjson 2>refused.ndjson
  zcat animals.csv.gz | petstore pets import --format csv --resume "animals of May" -`;

/** `petstore pets`: many pets at once, for operators. */
export const petsCommand = (context: CommandContext): Command =>
  new Command('pets')
    .description('Imports, exports and seeds animals.')
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(seedCommand(context));

/** Adds the pets of a file, and resumes an import that was interrupted. */
const importCommand = ({ print, terminal, runWithDatabase }: CommandContext) =>
  new Command('import')
    .description('Adds an animal for each good record. Refused records go to standard error, as NDJSON.')
    .argument('<file>', 'CSV whose first line names the columns, or NDJSON; - is standard input')
    .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
    .option('--strict', 'judge all records first, and add nothing if any is bad')
    .option('--dry-run', 'judge every record and store nothing')
    .option(
      '--resume <name>',
      'keep the progress under this name: the same command again goes on where it was cut off',
      readName,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Partial<ImportOptions>, command: Command) => {
      const begin = performance.now();
      const misuse = (why: string) => command.error(`error: ${why}`, { exitCode: 2 });
      const format = options.format ?? formatOf(file);
      if (!format)
        return misuse(`nothing says which format ${file} has. Add --format csv or --format ndjson.`);
      const size = await sizeOf(file);
      if (options.strict && !options.dryRun && size === undefined)
        misuse('--strict reads all records twice, so it needs a file: write what comes from a pipe to one.');
      const cutOff = (stored: ImportResult) =>
        print(textOfResult(stored, begin, options, `cut off after ${stored.records} records: `));
      const result = await runWithDatabase((app) =>
        importFile(app.get(PetImport), file, size, { ...options, format }, terminal, cutOff),
      );
      print(textOfResult(result, begin, options));
      if (result.refused > 0) throw new AlreadyReported();
    });

type ExportOptions = Partial<Layout> & { status?: PetStatus };

/** Writes all pets so that `pets import` reads them again. */
const exportCommand = ({ terminal, runWithDatabase }: CommandContext) =>
  new Command('export')
    .description('Writes all animals to standard output, newest first, so that "pets import" can read them.')
    .addOption(new Option('--format <format>').choices(FORMATS).default('csv'))
    .addOption(new Option('--status <status>', 'only animals with this status').choices(PET_STATUSES))
    .option('--ids', 'with ids, which "pets import" would refuse')
    .option('--spreadsheet', 'put an apostrophe before texts that a spreadsheet takes for formulas')
    .option('--json', 'print errors as JSON')
    .action(({ status, format = 'csv', ...layout }: ExportOptions) =>
      runWithDatabase(async (app) => {
        const text = textOfPets(app.get(BulkPets).all(status), { ...layout, format });
        await pipeline(text, terminal.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
          // A reader that stops early, such as `head`, is not a failure.
          if (error.code !== 'EPIPE') throw error;
        });
      }),
    );

/** Fills a catalogue with made-up pets. */
const seedCommand = ({ runWithDatabase, print, terminal }: CommandContext) =>
  new Command('seed')
    .description('Adds made-up animals. The same seed makes up the same ones; each run adds them.')
    .requiredOption('--count <count>', 'how many', readNumber(1, MAX_COUNT))
    .option('--seed <seed>', 'which ones: a number', readNumber(0, 2 ** 32 - 1), 1)
    .option('--json', 'print JSON')
    .action(async ({ count, seed, json }: { count: number; seed: number; json?: boolean }) => {
      const begin = performance.now();
      const progress = new Progress(terminal.stderr, count);
      async function* records(): AsyncGenerator<PetRecord> {
        for (const data of madeUpPets(count, seed)) yield { data };
      }
      const result = await runWithDatabase((app) =>
        app.get(PetImport).run(records(), {
          refused: () => {},
          progressed: (reached) => progress.update(reached.records, reached),
        }),
      ).finally(() => progress.stop());
      print(textOfResult({ ...result, skipped: 0 }, begin, { json }));
    });

function readNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < from || number > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return number;
  };
}

/** An argument that a column for 255 characters takes. */
function readName(text: string): string {
  if (text === '' || text.length > 255) throw new InvalidArgumentError('It must have 1 to 255 characters.');
  return text;
}

function textOfResult(
  { added, refused, skipped }: ImportResult,
  begin: number,
  { dryRun, json }: Partial<ImportOptions>,
  before = '',
): string {
  const seconds = Math.round(performance.now() - begin) / 1_000;
  if (json) return JSON.stringify({ added, refused, skipped, seconds });
  const earlier = skipped > 0 ? `, of these ${skipped} records in earlier runs` : '';
  return `${before}${dryRun ? 'would add' : 'added'} ${added}, refused ${refused}${earlier}, in ${seconds} s`;
}
