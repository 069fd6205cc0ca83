import { GaleraCluster } from '../../support/galera-cluster.js';
import { MariaDbServer, type SqlRow } from '../../support/mariadb-server.js';

/** One server, or three nodes that are one. */
export interface Place {
  /** The URL of a database for a replica, by its number: where there are several nodes, each has another one first. */
  url(database: string, replica: number): string;
  query(...statements: string[]): Promise<SqlRow[]>;
  stop(): Promise<void>;
}

const oneServer = {
  name: 'one server',
  installed: MariaDbServer.isInstalled(),
  async start(): Promise<Place> {
    const server = await MariaDbServer.start();
    return {
      url: (database) => server.url(database),
      query: (...statements) => server.query(...statements),
      stop: () => server.stop(),
    };
  },
};

const threeNodes = {
  name: 'three nodes',
  installed: GaleraCluster.isInstalled(),
  async start(): Promise<Place> {
    const cluster = await GaleraCluster.start();
    return {
      url: (database, replica) => cluster.url(database, replica),
      query: (...statements) => cluster.nodes[0]!.query(...statements),
      stop: () => cluster.stop(),
    };
  },
};

/** Where what holds for replicas must hold. */
export const PLACES = [oneServer, threeNodes];
