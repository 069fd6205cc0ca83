import type { TestProject } from 'vitest/node';
import { buildFor } from '../../support/built-service.js';
import { programPath } from '../../support/processes/local-program.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { RedisServer } from '../../support/databases/redis-server.js';
import { SmallDisk } from '../../support/databases/small-disk.js';
import { needsOfRun } from '../../support/run/needs.js';
import { canChangeRoot } from './container.js';

/**
 * Builds what tests start from this tree; each test builds what it ships. Missing requirements are listed at the end; with
 * REQUIRE_SERVERS they fail.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const needs: [there: boolean, tests: string, need: string][] = [
    [canChangeRoot(), 'every test of the image', 'root, for chroot'],
    [MariaDbServer.isInstalled(), 'every test of the alarms and of traces', 'mariadb-server (Debian)'],
    [RedisServer.isInstalled(), 'the test of the alarms', 'redis-server (Debian)'],
    [programPath('haproxy') !== undefined, 'every test of the proxy', 'haproxy (Debian)'],
    [programPath('prometheus') !== undefined, 'the test of the alarms', 'prometheus (Debian)'],
    [
      programPath('prometheus-node-exporter') !== undefined,
      'the test of the alarms',
      'prometheus-node-exporter (Debian)',
    ],
    [SmallDisk.isPossible(), 'the test of the alarms', 'root, for a small disk'],
  ];
  const leftOut = needs.filter(([there]) => !there).map(([, tests, need]) => `${tests}, for want of ${need}`);
  if (leftOut.length > 0 && process.env['REQUIRE_SERVERS']) {
    throw new Error(`Nothing may be left out, but would be: ${leftOut.join('; ')}`);
  }
  buildFor(await needsOfRun(project));
  return () => {
    for (const what of leftOut) process.stdout.write(`\nLEFT OUT, and counted as skipped: ${what}.\n`);
  };
}
