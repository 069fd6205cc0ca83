import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.js';

/** A command has failed and has said so already. */
export class AlreadyTold extends Error {}

/** What is said of an error on standard error: a sentence, or with `--json` one line {code?, message}. */
export function errorText(error: unknown, json: boolean): string | undefined {
  if (error instanceof AlreadyTold) return undefined;
  // What Commander throws it has printed already, unless it was told not to.
  if (error instanceof CommanderError) {
    if (!json || exitCodeOf(error) === 0) return undefined;
    return JSON.stringify({ code: 'wrong_usage', message: error.message.replace(/^error: /, '') });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (!json) return `petstore: ${message}`;
  const { code } = (error ?? {}) as { code?: unknown };
  return JSON.stringify({ code: typeof code === 'string' ? code : undefined, message });
}
