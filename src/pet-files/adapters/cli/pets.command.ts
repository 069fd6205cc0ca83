import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../../platform/ops/index.js';
import { BulkPets, PET_STATUSES, type PetStatus } from '../../../pets/index.js';
import { madeUpPets } from '../../application/made-up-pets.js';
import { PetImport, type PetRecord } from '../../application/pet-import.js';
import { importCommand } from './import.command.js';
import { FORMATS, type Layout, textOfPets } from './pet-text.js';
import { Progress, summary } from './progress.js';

const MAX_COUNT = 1_000_000_000;
const MAX_SEED = 2 ** 32 - 1;

/** `petstore pets`: many pets at once, for operators. */
export const petsCommand = (context: CommandContext): Command =>
  new Command('pets')
    .description('Imports, exports and seeds pets.')
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(seedCommand(context));

type ExportOptions = Layout & { status?: PetStatus };

/** Writes all pets in a form that `pets import` reads again. */
const exportCommand = ({ terminal, runWithDatabase }: CommandContext) =>
  new Command('export')
    .description('Writes all pets to standard output, newest first, in a form that "pets import" reads.')
    .addOption(new Option('--format <format>', 'the format of the output').choices(FORMATS).default('csv'))
    .addOption(new Option('--status <status>', 'only pets with this status').choices(PET_STATUSES))
    .option('--ids', 'write the ids too; "pets import" rejects such a file')
    .option('--spreadsheet', 'put an apostrophe before each text that a spreadsheet could take for a formula')
    .option('--json', 'print errors as JSON')
    .action(({ status, ...layout }: ExportOptions) =>
      runWithDatabase(async (app) => {
        const text = textOfPets(app.get(BulkPets).all(status), layout);
        await pipeline(text, terminal.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
          // A reader that stops early, such as `head`, is not a failure.
          if (error.code !== 'EPIPE') throw error;
        });
      }),
    );

/** Fills a catalogue with made-up pets. */
const seedCommand = ({ runWithDatabase, print, terminal }: CommandContext) =>
  new Command('seed')
    .description('Adds made-up pets. The same seed makes the same pets, and each run adds them again.')
    .requiredOption('--count <count>', `how many pets, from 1 to ${MAX_COUNT}`, integerBetween(1, MAX_COUNT))
    .option(
      '--seed <seed>',
      `the number from which the pets are made up, from 0 to ${MAX_SEED}`,
      integerBetween(0, MAX_SEED),
      1,
    )
    .option('--json', 'print JSON')
    .action(async ({ count, seed, json }: { count: number; seed: number; json?: boolean }) => {
      async function* records(): AsyncGenerator<PetRecord> {
        for (const data of madeUpPets(count, seed)) yield { data };
      }
      const progress = new Progress(terminal.stderr, count);
      await runWithDatabase((app) => app.get(PetImport).run(records(), progress)).finally(() =>
        progress.stop(),
      );
      print(summary(progress.result, { json }));
    });

function integerBetween(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < from || number > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return number;
  };
}
