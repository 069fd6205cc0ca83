import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { programPath } from '../../support/processes/local-program.js';

/** The facts that the figures depend on; nothing identifies this machine. */
export function machineFacts(databaseVersion: string) {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `Linux ${release()}`,
    node: process.version,
    database: databaseVersion,
    wrk: wrkVersion(),
  };
}

/** wrk prints its version with its usage, and exits with an error. */
function wrkVersion(): string {
  try {
    return execFileSync(programPath('wrk')!, ['-v'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    return /^wrk (\S+)/.exec(String((error as { stdout?: string }).stdout))?.[1] ?? 'unknown';
  }
}
