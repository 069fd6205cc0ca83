import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import { printOf, writeTo } from '../../../platform/ops/cli/files.js';
import { BulkPets, PET_STATUSES, type PetStatus } from '../../../pets/index.js';
import { madeUpPets } from '../../application/made-up-pets.js';
import { PetImport, type PetLine } from '../../application/pet-import.js';
import { importFile, type ImportOptions, type ImportResult } from './import-file.js';
import { InputFile } from './input-file.js';
import { FORMATS, formatOf, type Layout, textOfPets } from './pet-text.js';
import { Progress } from './progress.js';

const MAX_COUNT = 1_000_000_000;

const EXAMPLES = `
Examples:
  petstore pets import animals.csv
  petstore pets import --strict --errors refused.ndjson animals.ndjson.gz
  zcat animals.csv.gz | petstore pets import --format csv --dry-run -`;

/** `petstore pets`: many pets at once, for operators. */
export const petsCommand = (context: CommandContext): Command =>
  new Command('pets')
    .description('Imports, exports and seeds animals.')
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(seedCommand(context));

/** Adds the pets of a file, and resumes an import that was interrupted. */
const importCommand = (context: CommandContext) =>
  new Command('import')
    .description(
      'Adds an animal for each good line of a file. Run again, it goes on where it was cut off: no animal twice.',
    )
    .argument('<file>', 'CSV whose first line names the columns, or NDJSON; - is standard input')
    .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
    .option('--strict', 'add nothing at all if any line is bad')
    .option('--dry-run', 'judge every line and store nothing')
    .option('--again', 'add all lines, even if this file was imported before')
    .option('--errors <file>', 'write refused lines, as NDJSON, into this file, not to standard error')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: Partial<ImportOptions>, command: Command) => {
      const begin = performance.now();
      const format = options.format ?? formatOf(name);
      if (!format)
        command.error(`error: nothing says which format ${name} has. Add --format csv or --format ndjson.`, {
          exitCode: 2,
        });
      const { terminal, runWithDatabase } = context;
      const result = await InputFile.read(name, terminal.stdin, (input) =>
        runWithDatabase((app) => importFile(app.get(PetImport), input, { ...options, format }, terminal)),
      );
      printOf(options.errors, context)(textOfResult(result, begin, options));
      const { refused } = result;
      if (refused > 0)
        throw new InvalidInputFile(`${refused} ${refused === 1 ? 'line was' : 'lines were'} refused.`);
    });

type ExportOptions = Partial<Layout> & { status?: PetStatus; out?: string; json?: boolean };

/** Writes all pets so that `pets import` reads them again. */
const exportCommand = (context: CommandContext) =>
  new Command('export')
    .description('Writes all animals, newest first, so that "pets import" can read them.')
    .addOption(
      new Option('--format <format>', 'csv unless the name of the file tells otherwise').choices(FORMATS),
    )
    .addOption(new Option('--status <status>', 'only animals with this status').choices(PET_STATUSES))
    .option('--out <file>', 'write this file, whole or not at all; - is standard output')
    .option('--ids', 'with ids, which "pets import" would refuse')
    .option('--spreadsheet', 'put an apostrophe before texts that a spreadsheet takes for formulas')
    .option('--json', 'print JSON about the file that was written')
    .action(async ({ out, status, json, ...layout }: ExportOptions) => {
      let animals = 0;
      const format = layout.format ?? formatOf(out) ?? 'csv';
      await context.runWithDatabase(async (app) => {
        const pages = app.get(BulkPets).all(status);
        const text = textOfPets(pages, { ...layout, format }, (count) => (animals += count));
        await writeTo(out ?? '-', context.terminal.stdout, text);
      });
      if (out === undefined) return;
      const report = json ? JSON.stringify({ file: out, animals }) : `wrote ${animals} animals to ${out}`;
      printOf(out, context)(report);
    });

/** Fills a catalogue with made-up pets. */
const seedCommand = ({ runWithDatabase, print, terminal }: CommandContext) =>
  new Command('seed')
    .description('Adds made-up animals. The same seed makes up the same ones; each run adds them.')
    .requiredOption('--count <count>', 'how many', readNumber(1, MAX_COUNT))
    .option('--seed <seed>', 'which ones: a number', readNumber(0, 2 ** 32 - 1), 1)
    .option('--json', 'print JSON')
    .action(async ({ count, seed, json }: { count: number; seed: number; json?: boolean }) => {
      const begin = performance.now();
      const progress = new Progress(count, terminal.stderr, json);
      async function* lines(): AsyncGenerator<PetLine[]> {
        let number = 0;
        for (const data of madeUpPets(count, seed)) yield [{ number: ++number, data }];
      }
      const { added, refused } = await runWithDatabase((app) =>
        app.get(PetImport).run(lines(), {
          refused: () => {},
          progressed: (reached) => progress.update({ done: reached.line, ...reached }),
        }),
      ).finally(() => progress.stop());
      print(textOfResult({ added, refused, skipped: 0 }, begin, { json }));
    });

function readNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < from || number > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return number;
  };
}

function textOfResult(result: ImportResult, begin: number, { dryRun, json }: Partial<ImportOptions>): string {
  const { added, refused, skipped } = result;
  const seconds = Math.round(performance.now() - begin) / 1_000;
  if (json) return JSON.stringify({ ...result, seconds });
  const earlier = skipped > 0 ? `, of these ${skipped} lines in earlier runs` : '';
  return `${dryRun ? 'would add' : 'added'} ${added}, refused ${refused}${earlier}, in ${seconds} s`;
}
