import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../processes/local-program.js';

const run = promisify(execFile);

/** The variable with the path of the data installed once for all servers of a run; worker processes inherit it. */
const INSTALLED = 'PETSTORE_TESTS_MARIADB_DATA';

/** Creates the data of a new server, `data` in its folder: a copy if the run has installed them once. */
export async function makeData(folder: string): Promise<void> {
  const installed = process.env[INSTALLED];
  if (installed === undefined) return installData(folder);
  await run('cp', ['-a', installed, join(folder, 'data')]);
}

export const isInstalledOnce = (): boolean => process.env[INSTALLED] !== undefined;

/** Installs the initial data of all servers of this run. Installing takes a second, a copy a tenth of that. */
export async function installOnce(folder: string): Promise<void> {
  await installData(folder);
  process.env[INSTALLED] = join(folder, 'data');
}

async function installData(folder: string): Promise<void> {
  await run(programPath('mariadb-install-db')!, [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    `--tmpdir=${folder}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    // The server resizes the log at start, so a log of 96 MB need not be copied.
    '--innodb-log-file-size=4M',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
  ]);
}
