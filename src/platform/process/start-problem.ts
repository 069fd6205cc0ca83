import { BadConfiguration } from '../config/settings.js';
import { DatabaseUnusable } from '../database/database.js';
import { DatabaseFileLocked } from '../database/sqlite/database-file-lock.js';
import { Broken } from '../doctor/doctor.js';

/** Nobody can listen there. The message says why, and which variable to set. */
class CannotListen extends Error {}

type Reason = (host: string, port: number, variable: string) => string;

const isElsewhere: Reason = (host, _, variable) =>
  `${host} is no address of this machine. Set ${variable}HOST to one that is.`;

/** Why an address cannot be listened on, by the code of the system. */
const REASONS: Readonly<Record<string, Reason>> = {
  EADDRINUSE: (host, port, variable) =>
    `${host}:${port} is in use. End what uses it, or set ${variable}PORT.`,
  EACCES: (host, port, variable) =>
    `${host}:${port} may not be listened on by this user. Set ${variable}PORT to 1024 or more.`,
  EADDRNOTAVAIL: isElsewhere,
  ENOTFOUND: isElsewhere,
};

/** Waits until somebody listens at an address, whose variables begin with `variable`. @throws CannotListen */
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

/** What keeps the service from starting: a line for each problem, which says what to do. Undefined for what nobody foresaw. */
export function startProblem(error: unknown): string | undefined {
  const isKnown = [BadConfiguration, DatabaseFileLocked, DatabaseUnusable, Broken, CannotListen].some(
    (kind) => error instanceof kind,
  );
  return isKnown ? (error as Error).message : undefined;
}
