import { constants } from 'node:os';
import { CommanderError } from 'commander';
import { DomainError } from '../../../kernel/domain-error.js';
import { DatabaseUnavailable } from '../../database/errors.js';
import { AlreadyReported, StoppedBySignal } from './errors.js';

/** The exit codes, as `petstore --help` and the documents for operators describe them. */
export const EXIT_CODES_HELP = `
Exit codes:
  0        done
  1        failed, or records were rejected; standard error contains the reason
  2        wrong usage of the command
  3        not found
  4        rejected, because it conflicts with the present state, such as a backup file that exists
  128 + n  stopped by signal n, such as 143 after SIGTERM`;

/** The exit code for an error; 0 for `--help` and `--version`, which Commander throws as well. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof StoppedBySignal) return 128 + constants.signals[error.signal];
  if (!(error instanceof DomainError)) return 1;
  return { not_found: 3, conflict: 4, invalid: 2 }[error.kind as string] ?? 1;
}

/** The message contains the cause of an outage, because it is for operators. Clients do not see the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOutage =
    error instanceof DomainError && error.kind === 'unavailable' && error.cause instanceof Error;
  if (!isOutage) return error.message;
  const remedy = error instanceof DatabaseUnavailable && error.remedy ? `. ${error.remedy}` : '';
  return `${error.message} The reason: ${(error.cause as Error).message}${remedy}`;
}

/**
 * The text of an error for standard error: a sentence, or with `--json` one line {code?, message}. Undefined if the error was
 * reported already.
 */
export function errorText(error: unknown, json: boolean): string | undefined {
  if (error instanceof AlreadyReported) return undefined;
  // Commander has printed its errors already, except with --json.
  if (error instanceof CommanderError) {
    if (!json || exitCodeOf(error) === 0) return undefined;
    return JSON.stringify({ code: 'wrong_usage', message: error.message.replace(/^error: /, '') });
  }
  const message = messageOf(error);
  if (!json) return `petstore: ${message}`;
  const { code } = (error ?? {}) as { code?: unknown };
  return JSON.stringify({ code: typeof code === 'string' ? code : undefined, message });
}
