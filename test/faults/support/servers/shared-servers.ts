import type { TestProject } from 'vitest/node';
import { GaleraCluster } from '../../../support/databases/galera-cluster.js';
import { WITHOUT_THE_DISK } from '../../../support/databases/server-arguments.js';
import { MariaDbServer } from '../../../support/databases/mariadb-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The ports of the nodes of the run's own cluster; undefined where none can be started. */
    clusterPorts: number[] | undefined;
  }
}

/** One MariaDB and one cluster for all test files that do not kill, freeze or measure them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [mariaDb, cluster] = await Promise.all([
    MariaDbServer.isInstalled() ? MariaDbServer.start(...WITHOUT_THE_DISK) : undefined,
    GaleraCluster.isInstalled() ? GaleraCluster.start() : undefined,
  ]);
  project.provide('mariaDbPort', mariaDb?.port);
  project.provide(
    'clusterPorts',
    cluster?.nodes.map(({ ports }) => ports.sql),
  );
  return async () => {
    await Promise.all([mariaDb?.stop(), cluster?.stop()]);
  };
}
