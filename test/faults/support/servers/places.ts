import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { mariaDb } from '../../../support/engines.js';
import { clusterUrl } from '../../../support/databases/galera-cluster.js';
import { askServer, type SqlRow } from '../../../support/databases/database-server.js';

/** A database of one test, on the servers of the run. */
export interface PlacedDatabase {
  /** Its URL for a replica, by its number: with several nodes, each replica has another node first. */
  url(replica: number): string;
  query(statement: string): Promise<SqlRow[]>;
}

const oneServer = {
  name: 'one server',
  installed: mariaDb.installed,
  async create(): Promise<PlacedDatabase> {
    const { url, query } = await mariaDb.create();
    return { url: () => url, query };
  },
};

const ports = inject('clusterPorts');

const threeNodes = {
  name: 'three nodes',
  installed: ports !== undefined,
  async create(): Promise<PlacedDatabase> {
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    await askServer(ports![0]!, [`CREATE DATABASE ${database}`]);
    return {
      url: (replica) =>
        clusterUrl(
          ports!.map((port) => `127.0.0.1:${port}`),
          database,
          replica,
        ),
      query: (statement) => askServer(ports![0]!, [`USE ${database}`, statement]),
    };
  },
};

/** The databases on which the promises about replicas must hold. */
export const PLACES = [oneServer, threeNodes];
