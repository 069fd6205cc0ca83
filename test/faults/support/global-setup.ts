import { build } from '../../support/built-service.js';
import { GaleraCluster } from '../../support/galera-cluster.js';
import { MariaDbServer } from '../../support/mariadb-server.js';

/** Builds what is put to the test. What is missing is said aloud at the end, or fails the run if nothing may be left out. */
export default function setup(): () => void {
  const leftOut = [
    ...(MariaDbServer.isInstalled() ? [] : ['every test on MariaDB: mariadb-server']),
    ...(GaleraCluster.isInstalled() ? [] : ['every test on a cluster: mariadb-server, galera-4, rsync']),
  ];
  if (leftOut.length > 0 && process.env['REQUIRE_SERVERS']) {
    throw new Error(
      `Nothing may be left out, but would be, for want of Debian packages: ${leftOut.join('; ')}`,
    );
  }
  build();
  return () => {
    for (const what of leftOut) process.stdout.write(`\nLEFT OUT for want of Debian packages, ${what}.\n`);
  };
}
