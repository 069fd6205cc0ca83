import { RAISE_OPEN_FILES } from '../../config/open-files.js';
import { BadConfiguration } from '../../config/settings.js';
import { DatabaseUnusable } from '../../database/errors.js';

/**
 * The reason why the service cannot start: one line for each problem, with what to do, or the message of the system. Undefined
 * for other errors, which are bugs of the service.
 */
export function startProblem(error: unknown): string | undefined {
  const isKnown = error instanceof BadConfiguration || error instanceof DatabaseUnusable;
  const { message, syscall, code } = error as NodeJS.ErrnoException;
  if (isKnown) return message;
  if (syscall === undefined) return undefined;
  const remedy = code === 'EMFILE' ? ` ${RAISE_OPEN_FILES}` : '';
  return `The operating system rejects what the service needs: ${message}.${remedy}`;
}
