import type { INestApplicationContext } from '@nestjs/common';
import type { Terminal } from './terminal.js';

/** What every command gets: only `command-line.ts` knows how the application is assembled. */
export interface CommandContext {
  readonly terminal: Terminal;

  /** Runs `work` in the assembled application, without its server and before its database is opened, then closes it. */
  run<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** The same with the database open. */
  runWithDatabase<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** Writes lines to standard output. */
  print(text: string): void;
}
