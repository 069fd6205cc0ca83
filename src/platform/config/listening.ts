import { BadConfiguration } from './settings.js';

type Reason = (host: string, port: number, variable: string) => string;

const isElsewhere: Reason = (host, _, variable) =>
  `${host} is no address of this machine. Set ${variable}HOST to one that is.`;

/** The reasons why the service cannot listen, by the error code of the system. */
const REASONS: Readonly<Record<string, Reason>> = {
  EADDRINUSE: (host, port, variable) =>
    `${host}:${port} is in use. Stop the program that uses it, or set ${variable}PORT.`,
  EACCES: (host, port, variable) =>
    `${host}:${port} may not be listened on by this user. Set ${variable}PORT to 1024 or more.`,
  EADDRNOTAVAIL: isElsewhere,
  ENOTFOUND: isElsewhere,
};

/**
 * Waits until a server listens on a host and a port. The names of their variables begin with `variable`. @throws
 * BadConfiguration, which contains the reason and the variable to set
 */
export async function listening(
  listens: Promise<unknown>,
  { host, port }: { readonly host: string; readonly port: number },
  variable: '' | 'METRICS_' = '',
): Promise<void> {
  await listens.catch((error: NodeJS.ErrnoException) => {
    const reason = REASONS[error.code ?? '']?.(host, port, variable);
    const other = `${host}:${port} cannot be listened on: ${error.message}. See to that, or set ${variable}HOST and ${variable}PORT.`;
    throw new BadConfiguration(reason ?? other, { cause: error });
  });
}
