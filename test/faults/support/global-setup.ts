import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../support/built-service.js';
import { GaleraCluster } from '../../support/databases/galera-cluster.js';
import { forgetFolder, keepFolder } from '../../support/processes/keeper.js';
import { installOnce, isInstalledOnce } from '../../support/databases/mariadb-data.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { HaProxy } from './servers/haproxy.js';
import { long } from './size.js';

/**
 * Builds the service and installs MariaDB, once for all projects of the run. With REQUIRE_SERVERS set, a missing program fails
 * the run.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (isInstalledOnce()) return undefined;
  const leftOut = [
    ...(MariaDbServer.isInstalled() ? [] : ['every test on MariaDB: mariadb-server']),
    ...(GaleraCluster.isInstalled() ? [] : ['every test on a cluster: mariadb-server, galera-4, rsync']),
    ...(HaProxy.isInstalled() ? [] : ['every test through a proxy: haproxy']),
  ];
  if (leftOut.length > 0 && process.env['REQUIRE_SERVERS']) {
    throw new Error(
      `Nothing may be left out, but would be, for want of Debian packages: ${leftOut.join('; ')}`,
    );
  }
  build();
  const folder = await mkdtemp(join(tmpdir(), 'petstore-installed-'));
  keepFolder(folder);
  if (MariaDbServer.isInstalled()) await installOnce(folder);
  return async () => {
    await rm(folder, { recursive: true, force: true });
    forgetFolder(folder);
    for (const what of leftOut) process.stdout.write(`\nLEFT OUT for want of Debian packages, ${what}.\n`);
    if (!long) process.stdout.write('\nLEFT OUT, for it takes an hour: npm run test:faults -- --long\n');
  };
}
