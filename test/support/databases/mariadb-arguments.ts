import { join } from 'node:path';

/** How every MariaDB of the tests runs: its files in a folder of its own, heard on this machine only, commits durable. */
export const mariaDbArguments = (folder: string, port: number): string[] => [
  '--no-defaults',
  `--datadir=${join(folder, 'data')}`,
  // A server that starts removes the temporary tables that it finds there, whosever they are.
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

/** For a server that nobody cuts off, and that need not wait for the disk; tests that do have servers of their own. */
export const WITHOUT_THE_DISK = ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync'];
