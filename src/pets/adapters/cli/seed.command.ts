import { Command, InvalidArgumentError } from 'commander';
import { Progress } from './progress.js';
import type { CommandContext } from '../../../platform/ops/cli/command-context.js';
import { type ImportObserver, PetImport, type PetLine } from '../../application/pet-import.js';
import { madeUpPets } from '../../domain/made-up-pets.js';
import { resultOf, textOfResult } from './import-result.js';

const MAX_COUNT = 1_000_000_000;
const LINES_PER_CHUNK = 500;

interface Options {
  readonly count: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** `petstore pets seed`: fills a catalogue with made-up pets. */
export function seedCommand({ runWithDatabase, print, terminal }: CommandContext): Command {
  return new Command('seed')
    .description('Adds made-up animals. The same seed makes up the same ones; each run adds them.')
    .requiredOption('--count <count>', 'how many', readNumber(1, MAX_COUNT))
    .option('--seed <seed>', 'which ones: a number', readNumber(0, 2 ** 32 - 1), 1)
    .option('--json', 'print JSON')
    .action(async ({ count, seed, json }: Options) => {
      const begin = performance.now();
      const progress = new Progress(count, terminal.stderr, json);
      const observer: ImportObserver = {
        refused: () => {},
        progressed: (reached) => progress.update({ done: reached.line, ...reached }),
      };
      try {
        const added = await runWithDatabase((app) =>
          app.get(PetImport).run(linesFrom(count, seed), observer),
        );
        const result = resultOf(added, { added: 0, refused: 0 }, performance.now() - begin);
        print(json ? JSON.stringify(result) : textOfResult(result, {}));
      } finally {
        progress.stop();
      }
    });
}

async function* linesFrom(count: number, seed: number): AsyncGenerator<PetLine[]> {
  let lines: PetLine[] = [];
  let number = 0;
  for (const data of madeUpPets(count, seed)) {
    lines.push({ number: ++number, data });
    if (lines.length < LINES_PER_CHUNK) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

function readNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d{1,10}$/.test(text) || number < from || number > to)
      throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`);
    return number;
  };
}
