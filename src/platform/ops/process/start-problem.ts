import { BadConfiguration } from '../../config/settings.js';
import { DatabaseUnusable } from '../../database/errors.js';

/**
 * Why the service cannot start: a line for each problem, which says what to do, or the words of the system. Undefined for other
 * errors, which are faults of the service.
 */
export function startProblem(error: unknown): string | undefined {
  const isKnown = error instanceof BadConfiguration || error instanceof DatabaseUnusable;
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (isKnown) return message;
  return syscall === undefined
    ? undefined
    : `The operating system rejects what the service needs: ${message}.`;
}
