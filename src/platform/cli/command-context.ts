import type { INestApplicationContext } from '@nestjs/common';

/** What every command gets: only `command-line.ts` knows how the application is assembled. */
export interface CommandContext {
  readonly terminal: Terminal;

  /** Runs `work` in the assembled application, without its server and before its database is opened, then closes it. */
  run<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** The same with the database open. */
  runWithDatabase<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** Asks the person at the terminal, without haste. Whether there is one, `terminal.stderr.isTTY` tells. */
  confirm(question: string): Promise<boolean>;

  print(text: string): void;
}

/** All that a command may use of its process, so that it runs in any process, also that of a test. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Screen;
}

/** An output that may be a terminal. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Absent if it is no file of the operating system. */
  readonly fd?: number;
}
