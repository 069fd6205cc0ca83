import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const CLI = readFileSync(resolve(import.meta.dirname, '../../../src/cli.ts'), 'utf8');

/** The command that starts the service: while the command line has no `serve`, its neighbour main.js stands in for it. */
export const starting = (command: readonly string[]): string[] =>
  /serve/i.test(CLI) ? [...command] : [...command.slice(0, -2), command.at(-2)!.replace('cli.js', 'main.js')];
