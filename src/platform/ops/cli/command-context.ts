import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';

/** The argument of every command. Only `command-line.ts` knows how the application is assembled. */
export interface CommandContext {
  readonly terminal: Terminal;

  /** Assembles the application without its server, runs `work` before the database is opened, and closes the application. */
  run<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  /** As `run`, but the database is open. */
  runWithDatabase<Result>(work: (app: INestApplicationContext) => Promise<Result>): Promise<Result>;

  print(text: string): void;
}

/** The parts of the process that a command may use, so that a test can replace them. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** The mistakes in the file `.env`, from which `env` was read. */
  readonly mistakes?: readonly string[];
  readonly stdin: Readable;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: Screen;
  /** Emits each signal that the process gets, by its name. If nothing listens to it, the signal ends the process at once. */
  readonly signals: EventEmitter;
}

/** An output, which may be a terminal. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}
