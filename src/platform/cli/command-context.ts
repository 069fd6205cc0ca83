import type { INestApplicationContext } from '@nestjs/common';
import type { Terminal } from './terminal.js';

/** What each command is given, because only `command-line.ts` knows how the application is put together. */
export interface CommandContext {
  readonly terminal: Terminal;

  /**
   * Runs one piece of work in the assembled application, without its server: connects to the database, works, closes.
   */
  run<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** Writes lines to standard output. */
  print(text: string): void;
}
