import { join } from 'node:path';

/** The arguments of every MariaDB and MySQL of the tests: files in its own folder, loopback only, durable commits. */
export const serverArguments = (folder: string, port: number): string[] => [
  '--no-defaults',
  `--datadir=${join(folder, 'data')}`,
  // A separate folder, because a server removes all temporary tables in it at its start, also tables of other servers.
  `--tmpdir=${folder}`,
  `--socket=${join(folder, 'socket')}`,
  `--pid-file=${join(folder, 'pid')}`,
  `--port=${port}`,
  '--bind-address=127.0.0.1',
  '--skip-name-resolve',
  '--performance-schema=OFF',
  '--innodb-buffer-pool-size=64M',
  '--innodb-flush-log-at-trx-commit=1',
  '--max-connections=300',
];

/** For a server that no test kills, so that it need not wait for the disk; tests that kill one start their own. */
export const WITHOUT_THE_DISK = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--skip-log-bin',
];
