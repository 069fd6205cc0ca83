import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';

/** What every command gets. Only `command-line.ts` knows how the application is assembled. */
export interface CommandContext {
  readonly terminal: Terminal;

  /** Runs `work` in the assembled application, without its server and before its database is opened, then closes it. */
  run<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** As `run`, with the database open. */
  runWithDatabase<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  print(text: string): void;
}

/** All of the process that a command may use, so that it also runs inside a test. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** What is wrong with the file that belongs to `env`. */
  readonly mistakes?: readonly string[];
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Screen;
  /** Emits each signal that arrives, by its name. One that nobody listens to ends the process at once. */
  readonly signals: EventEmitter;
}

/** An output that may be a terminal. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}
