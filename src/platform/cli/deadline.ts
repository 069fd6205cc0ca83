import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from './options.js';

const DEFAULT = '30s';
/** The longest timer of Node.js. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The option `--timeout`. `checkWith` is the command that shows whether a command that timed out was carried out. */
export class TimeoutOption extends Option {
  constructor(
    timeout: string,
    readonly checkWith?: string,
  ) {
    super('--timeout <duration>', 'end after that long, such as 30s or 5m; none: when it is done');
    this.argParser(readTimeout).default(readTimeout(timeout), timeout);
  }
}

/** Gives every command without a `--timeout` of its own the default one. */
export function limitTime(command: Command): void {
  for (const one of command.commands) limitTime(one);
  const isLeaf = command.commands.length === 0;
  if (isLeaf && !timeoutOf(command)) command.addOption(new TimeoutOption(DEFAULT));
}

const timeoutOf = (command: Command) =>
  command.options.find((option): option is TimeoutOption => option instanceof TimeoutOption);

/** The command timed out. The message says what it waited for, whether it was carried out, and what to do. */
export class TimedOut extends Error {
  readonly code = 'timed_out';
}

export interface Activity {
  readonly waitsFor: string;
  /** Whether the database was told to change something; without an answer the outcome is unknown. */
  readonly hasChanged: boolean;
}

/** Ends a command that takes too long, whatever it waits for. */
export class Deadline {
  /** What the command is doing, for the message of a timeout. */
  activity: () => Activity = () => ({ waitsFor: 'its input', hasChanged: false });
  #restart = () => {};
  #timer: NodeJS.Timeout | undefined;
  #end!: (error: TimedOut) => void;
  readonly #ended = new Promise<never>((_, reject) => (this.#end = reject));

  begin(command: Command): void {
    const { timeout } = command.opts<{ timeout: number }>();
    const option = timeoutOf(command);
    if (!option || timeout === Infinity) return;
    this.#restart = () => {
      this.#timer = setTimeout(() => {
        const name = `${command.parent!.name()} ${command.name()}`.replace('petstore ', '');
        this.#end(
          new TimedOut(
            `"${name}" did not end within ${timeout / 1_000} s. ${report(this.activity(), option.checkWith)}`,
          ),
        );
      }, timeout);
    };
    this.#restart();
  }

  /** Stops the clock while a person thinks; afterwards it starts from zero. */
  async pause<Result>(question: () => Promise<Result>): Promise<Result> {
    clearTimeout(this.#timer);
    return question().finally(this.#restart);
  }

  /** The result of the work. @throws TimedOut */
  limit<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.#ended]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function report({ waitsFor, hasChanged }: Activity, checkWith: string | undefined): string {
  const outcome = hasChanged
    ? `Whether it was done is unknown: check${checkWith ? ` with "${checkWith}"` : ''} before you run it again`
    : 'Nothing was changed: see what is wrong with "petstore doctor"';
  return `It waited for ${waitsFor}. ${outcome}, or give it longer with --timeout.`;
}

/** @returns milliseconds */
function readTimeout(text: string): number {
  if (text === 'none') return Infinity;
  const timeout = readDuration(text);
  if (timeout === 0) throw new InvalidArgumentError('It must be longer than 0.');
  return Math.min(timeout, MAX_TIMEOUT_MS);
}
