import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GALERA_PROVIDER, GaleraNode, type GaleraPorts } from './galera-node.js';
import { forgetFolder, keepFolder } from '../processes/keeper.js';
import { freePort, programPath } from '../processes/local-program.js';
import { MariaDbServer } from './mariadb-server.js';
import type { PrivateNetwork } from '../processes/private-network.js';

const MAX_STARTS = 3;

/** A private Galera cluster, removed when it is stopped. Its nodes can be killed, frozen and restarted. */
export class GaleraCluster {
  endings = 0;

  private constructor(
    readonly nodes: readonly GaleraNode[],
    private readonly folder: string,
  ) {}

  static isInstalled(): boolean {
    return MariaDbServer.isInstalled() && existsSync(GALERA_PROVIDER) && programPath('rsync') !== undefined;
  }

  /** Its nodes run on this machine, or each on a host of `network`; `prepare` is called with each node before its launch. */
  static async start(
    size = 3,
    network?: PrivateNetwork,
    prepare: (node: GaleraNode) => void = () => undefined,
  ): Promise<GaleraCluster> {
    for (let tries = 1; ; tries++) {
      const cluster = await GaleraCluster.#install(size, network, prepare);
      try {
        await cluster.#begin(network);
        return cluster;
      } catch (error) {
        // Nodes that lose each other during a state transfer, as on a busy machine, may never form one cluster again.
        await cluster.stop();
        if (tries === MAX_STARTS) throw error;
      }
    }
  }

  static async #install(
    size: number,
    network: PrivateNetwork | undefined,
    prepare: (node: GaleraNode) => void,
  ): Promise<GaleraCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-galera-'));
    keepFolder(folder);
    await chmod(folder, 0o755); // Nodes run as another user if the tests run as root.
    const members: GaleraPorts[] = [];
    for (let i = 0; i < size; i++) {
      const [sql, group, sst, ist] = [await freePort(), await freePort(), await freePort(), await freePort()];
      members.push({ host: network?.hosts[i]?.address ?? '127.0.0.1', sql, group, sst, ist });
    }
    const nodes: GaleraNode[] = [];
    for (const [i, ports] of members.entries()) {
      const own = join(folder, `node-${i + 1}`);
      await mkdir(own);
      const node = new GaleraNode(own, ports, members, network?.hosts[i]?.command);
      await node.install();
      prepare(node);
      nodes.push(node);
    }
    return new GaleraCluster(nodes, folder);
  }

  async #begin(network: PrivateNetwork | undefined): Promise<void> {
    const { nodes } = this;
    // All nodes have the same data, so none needs a full state transfer, and the incremental one is empty.
    const position = `${randomUUID()}:0`;
    await this.#launchAfter(
      nodes[0]!,
      nodes.map(() => position),
    );
    // At first no user may connect from another host.
    if (network) await nodes[0]!.query("CREATE USER root@'%'", "GRANT ALL ON *.* TO root@'%'");
  }

  /** The URL of a database on all nodes; the one at `preferred`, counted from 0, comes first. */
  url(database: string, preferred = 0): string {
    const hosts = this.nodes.map(({ ports }) => `${ports.host}:${ports.sql}`);
    return clusterUrl(hosts, database, preferred);
  }

  /** Waits until all nodes that were not killed form one cluster of that size and have caught up. */
  async synced(): Promise<void> {
    const members = this.nodes.filter(({ isLaunched }) => isLaunched);
    const all = () => Promise.all(members.map((node) => node.synced(members.length)));
    await all();
    // Checked twice: a frozen node reports `Synced` until it has contact with the other nodes, which then count it as a member.
    await all();
  }

  /**
   * Starts nodes that were killed, while at least one other runs; waits until all form one cluster again. A node that ends by
   * itself meanwhile is launched again, as systemd or an operator would do: Galera ends if the donor of an incremental state
   * transfer cannot reach the joining node. Some nodes end each time: a node that is ahead of the others after two partitions at
   * once ("Reversing history"), and a node whose donor has a damaged cache. Then all are stopped, lose their caches, and begin
   * with the most advanced one, as an operator would do.
   */
  async restart(...nodes: GaleraNode[]): Promise<void> {
    for (let tries = 1; tries <= MAX_STARTS; tries++) {
      await Promise.all(nodes.map((node) => node.kill()));
      const positions = await Promise.all(nodes.map((node) => node.position()));
      for (const [i, node] of nodes.entries()) node.launch({ position: positions[i]! });
      try {
        await this.synced();
        return;
      } catch (error) {
        nodes = this.#ended();
        // A node that has not ended but does not catch up is an immediate failure.
        if (nodes.length === 0) throw error;
      }
    }
    await Promise.all(this.nodes.map((node) => node.kill()));
    await Promise.all(this.nodes.map((node) => node.deleteCache()));
    await this.recover();
  }

  /** Launches the nodes that have ended by themselves, and waits until all form one cluster again. */
  mend(): Promise<void> {
    return this.restart(...this.#ended());
  }

  /** The nodes that have ended by themselves. Counts them, and prints the last errors of each. */
  #ended(): GaleraNode[] {
    const ended = this.nodes.filter(({ hasEnded }) => hasEnded);
    this.endings += ended.length;
    for (const node of ended) {
      const errors = node.output.split('\n').filter((line) => line.includes('[ERROR]'));
      const lines = [`Node ${this.nodes.indexOf(node) + 1} has ended by itself:`, ...errors.slice(-10)];
      process.stdout.write(`\n${lines.join('\n')}\n`);
    }
    return ended;
  }

  /** After all were killed: bootstraps the node with the most recent position, then the others join. */
  async recover(): Promise<void> {
    const positions = await Promise.all(this.nodes.map((node) => node.position()));
    const seqnos = positions.map((position) => Number(position.split(':')[1]));
    const first = seqnos.indexOf(Math.max(...seqnos));
    await this.nodes[first]!.mayBegin();
    await this.#launchAfter(this.nodes[first]!, positions);
  }

  /** A checksum of a database on each node, over all rows of all its tables. */
  async digests(database: string): Promise<string[]> {
    return Promise.all(
      this.nodes.map(async (node) => {
        const tables = await node.query(`SHOW TABLES FROM ${database}`);
        const hash = createHash('sha256');
        for (const table of tables.flatMap((row) => Object.values(row) as string[])) {
          const rows = await node.query('SET wsrep_sync_wait = 1', `SELECT * FROM ${database}.${table}`);
          hash.update(
            `${table}\n${rows
              .map((row) => JSON.stringify(row))
              .toSorted()
              .join('\n')}\n`,
          );
        }
        return hash.digest('hex');
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.folder, { recursive: true, force: true });
    forgetFolder(this.folder);
  }

  async #launchAfter(first: GaleraNode, positions: readonly string[] = []): Promise<void> {
    first.launch({ first: true, position: positions[this.nodes.indexOf(first)] });
    await first.synced(1);
    // One by one, because a donor with two state transfers at the same time is too slow for both.
    for (const node of this.nodes.filter((other) => other !== first)) {
      node.launch({ position: positions[this.nodes.indexOf(node)] });
      await this.synced();
    }
  }
}

/** The URL of a database on nodes at these addresses; the one at `preferred`, counted from 0, comes first. */
export function clusterUrl(nodes: readonly string[], database: string, preferred: number): string {
  const hosts = nodes.map((_, i) => nodes[(i + preferred) % nodes.length]);
  return `mysql://root:@${hosts.join(',')}/${database}`;
}
