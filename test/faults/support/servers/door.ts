import type { startBuilt } from '../../../support/built-service.js';
import { MariaDbServer } from '../../../support/databases/mariadb-server.js';
import { HaProxy } from './haproxy.js';
import type { Replica } from './replica.js';
import { startReplicas } from './replicas.js';

/** Two replicas on MariaDB behind the proxy that is shipped. */
export interface Door {
  readonly port: number;
  readonly database: string;
  readonly replicas: readonly Replica[];
  close(): Promise<void>;
}

export const doorIsPossible = (): boolean => MariaDbServer.isInstalled() && HaProxy.isInstalled();

export async function openDoor(program?: typeof startBuilt): Promise<Door> {
  const server = await MariaDbServer.start();
  await server.query('CREATE DATABASE petstore');
  const database = server.url('petstore');
  const replicas = await startReplicas(2, () => database, { TRUST_PROXY: '1' }, program);
  const proxy = await HaProxy.start(replicas.map(({ port }) => port));
  const close = async () => {
    await proxy.stop();
    for (const replica of replicas) await replica.discard();
    await server.stop();
  };
  return { port: proxy.port, database, replicas, close };
}
