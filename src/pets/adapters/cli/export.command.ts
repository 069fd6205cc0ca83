import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { writeAtomically } from '../../../platform/ops/cli/output.js';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { PetCatalog } from '../../application/pet-catalog.js';
import type { Pet } from '../../domain/pet.js';
import { PET_STATUSES, type PetStatus } from '../../domain/pet-status.js';
import { type Format, FORMATS, formatOf } from './file-format.js';
import { textOfPets } from './pet-text.js';

interface Options {
  readonly format?: Format;
  readonly status?: PetStatus;
  readonly out?: string;
  readonly ids?: boolean;
  readonly spreadsheet?: boolean;
  readonly json?: boolean;
}

/** `petstore pets export`: writes all pets so that `pets import` reads them again. */
export function exportCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  return new Command('export')
    .description('Writes all animals, newest first, so that "pets import" can read them.')
    .addOption(
      new Option('--format <format>', 'csv unless the name of the file tells otherwise').choices(FORMATS),
    )
    .addOption(new Option('--status <status>', 'only animals with this status').choices(PET_STATUSES))
    .option('--out <file>', 'write this file, whole or not at all, not standard output')
    .option('--ids', 'with ids, which "pets import" would refuse')
    .option('--spreadsheet', 'put an apostrophe before texts that a spreadsheet takes for formulas')
    .option('--json', 'print JSON about the file that was written')
    .action(async ({ out, status, json, ...layout }: Options) => {
      const format = layout.format ?? (out === undefined ? undefined : formatOf(out)) ?? 'csv';
      const animals = await runWithDatabase(async (app) => {
        const pages = new Counted(app.get(PetCatalog).all(status));
        const text = textOfPets(pages, { ...layout, format });
        if (out === undefined) await pipeline(text, terminal.stdout, { end: false }).catch(unlessClosed);
        else await writeAtomically(out, (unfinished) => pipeline(text, createWriteStream(unfinished)));
        return pages.count;
      });
      if (out === undefined) return;
      print(json ? JSON.stringify({ file: out, animals }) : `wrote ${animals} animals to ${out}`);
    });
}

/** A reader that stops early, such as `head`, is not a failure. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Counts the pets on the pages that pass through. */
class Counted {
  count = 0;

  constructor(private readonly pages: AsyncIterable<readonly Pet[]>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Pet[]> {
    for await (const pets of this.pages) {
      this.count += pets.length;
      yield pets;
    }
  }
}
