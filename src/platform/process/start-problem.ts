import { BadConfiguration } from '../config/settings.js';
import { DatabaseUnusable } from '../database/errors.js';
import { DatabaseFileLocked } from '../database/sqlite/database-file.js';

/** The address cannot be used. The message says why, and which variable to set. */
class CannotListen extends Error {}

type Reason = (host: string, port: number, variable: string) => string;

const isElsewhere: Reason = (host, _, variable) =>
  `${host} is no address of this machine. Set ${variable}HOST to one that is.`;

/** Why the service cannot listen on an address, by the error code of the system. */
const REASONS: Readonly<Record<string, Reason>> = {
  EADDRINUSE: (host, port, variable) =>
    `${host}:${port} is in use. Stop the program that uses it, or set ${variable}PORT.`,
  EACCES: (host, port, variable) =>
    `${host}:${port} may not be listened on by this user. Set ${variable}PORT to 1024 or more.`,
  EADDRNOTAVAIL: isElsewhere,
  ENOTFOUND: isElsewhere,
};

/** Waits until a server listens on an address, configured by variables that begin with `variable`. @throws CannotListen */
export async function listening(
  listens: Promise<unknown>,
  { host, port }: { readonly host: string; readonly port: number },
  variable: '' | 'METRICS_' = '',
): Promise<void> {
  await listens.catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? '']?.(host, port, variable);
    const other = `${host}:${port} cannot be listened on: ${error.message}. See to that, or set ${variable}HOST and ${variable}PORT.`;
    throw new CannotListen(reason ?? other, { cause: error });
  });
}

/**
 * Why the service cannot start: a line for each problem, which says what to do, or the words of the system. Undefined for other
 * errors, which are faults of the service.
 */
export function startProblem(error: unknown): string | undefined {
  const isKnown = [BadConfiguration, DatabaseFileLocked, DatabaseUnusable, CannotListen].some(
    (kind) => error instanceof kind,
  );
  const { message, syscall } = error as NodeJS.ErrnoException;
  if (isKnown) return message;
  return syscall === undefined ? undefined : `The system refuses what the service needs: ${message}.`;
}
