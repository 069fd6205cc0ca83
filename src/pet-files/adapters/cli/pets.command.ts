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

/** `petstore pets`: many pets at once, for operators. */
export const petsCommand = (context: CommandContext): Command =>
  new Command('pets')
    .description('Imports, exports and seeds animals.')
    .addCommand(importCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(seedCommand(context));

type ExportOptions = Layout & { status?: PetStatus };

/** Writes all pets in a form that `pets import` reads again. */
const exportCommand = ({ terminal, runWithDatabase }: CommandContext) =>
  new Command('export')
    .description('Writes all animals to standard output, newest first, so that "pets import" can read them.')
    .addOption(new Option('--format <format>').choices(FORMATS).default('csv'))
    .addOption(new Option('--status <status>', 'only animals with this status').choices(PET_STATUSES))
    .option('--ids', 'with ids, which "pets import" would refuse')
    .option('--spreadsheet', 'put an apostrophe before texts that a spreadsheet takes for formulas')
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
    .description('Adds made-up animals. The same seed makes up the same ones; each run adds them.')
    .requiredOption('--count <count>', 'how many', readNumber(1, MAX_COUNT))
    .option('--seed <seed>', 'which ones: a number', readNumber(0, 2 ** 32 - 1), 1)
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

function readNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < from || number > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return number;
  };
}
