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
    const reason = REASONS[error.code ?? ''];
    throw reason ? new CannotListen(reason(host, port, variable)) : error;
  });
}

/** Why the service cannot start: a line for each problem, which says what to do. Undefined for unexpected errors. */
export function startProblem(error: unknown): string | undefined {
  const isKnown = [BadConfiguration, DatabaseFileLocked, DatabaseUnusable, CannotListen].some(
    (kind) => error instanceof kind,
  );
  return isKnown ? (error as Error).message : undefined;
}
