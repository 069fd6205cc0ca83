import { GaleraCluster } from '../../support/databases/galera-cluster.js';
import type { DatabaseServer } from '../../support/databases/database-server.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { MySqlServer } from '../../support/databases/mysql-server.js';
import { sqlite } from '../../support/engines.js';
import { MovedClock } from '../../support/processes/moved-clock.js';
import { PrivateNetwork } from '../../support/processes/private-network.js';
import type { Chance } from './chance.js';
import { type Fault, frozen, killed, passing, type Place } from './place.js';

/** In s: the largest error of a clock. An hour is longer than any timeout, and shorter than the retention of stored responses. */
export const WRONG_BY = 3_600;

/** What this machine lacks for some faults; those faults are skipped, and the run reports that. */
export const lacking = (): string[] => [
  ...(PrivateNetwork.isPossible() ? [] : ['nodes that are cut off: needs iproute2 and root']),
  ...(MovedClock.isInstalled() ? [] : ['clocks that are moved: needs libfaketime and cc']),
];

/** Without a binary log MariaDB shows rows to other clients before the rows are on disk, and loses them if it is killed then. */
const DURABLE = ['--log-bin=bin', '--server-id=1', '--sync-binlog=1'];

export async function oneMariaDb(chance: Chance): Promise<Place> {
  const server = await MariaDbServer.start(...DURABLE);
  if (!MovedClock.isInstalled()) return oneServer(server, [], chance);
  const clock = new MovedClock(server.folder);
  server.environment = clock.environment;
  await server.kill('SIGTERM');
  await server.launch();
  return oneServer(server, [clock], chance);
}

/** Its clock stays right: libfaketime cannot be loaded into a program with a C library of its own. */
export async function oneMySql(chance: Chance): Promise<Place | undefined> {
  const { server, said } = await MySqlServer.tryToStart(...DURABLE);
  process.stdout.write(`\n${said}\n`);
  return server && oneServer(server, [], chance);
}

/** Only the replica can fail here. */
export async function oneFile(): Promise<Place> {
  const database = await sqlite.create();
  return {
    url: () => database.url,
    isShared: false,
    query: (statement) => database.query(statement!),
    faults: [],
    differing: () => Promise.resolve(0),
    stop: () => database.drop(),
  };
}

async function oneServer(
  server: DatabaseServer,
  clocks: readonly MovedClock[],
  chance: Chance,
): Promise<Place> {
  await server.query('CREATE DATABASE petstore');
  return {
    url: () => server.url('petstore'),
    isShared: true,
    query: (...statements) => server.query('USE petstore', ...statements),
    faults: [
      ...clockFaults('server', clocks, chance),
      frozen('server', [server], chance),
      killed('server', [server], chance, () => server.launch()),
    ],
    differing: () => Promise.resolve(0),
    stop: () => server.stop(),
  };
}

export async function threeNodes(chance: Chance): Promise<Place> {
  const network = PrivateNetwork.isPossible() ? await PrivateNetwork.create(3) : undefined;
  const clocks: MovedClock[] = [];
  const cluster = await GaleraCluster.start(3, network, (node) => {
    if (!MovedClock.isInstalled()) return;
    const clock = new MovedClock(node.folder);
    clocks.push(clock);
    node.environment = clock.environment;
  });
  const { nodes } = cluster;
  await nodes[0]!.query('CREATE DATABASE petstore');
  const whole = (fault: Fault): Fault => ({
    name: fault.name,
    happen: async () => {
      const before = cluster.endings;
      await fault.happen();
      await cluster.mend();
      if (cluster.endings > before) process.stdout.write(`\nThat was after "${fault.name}".\n`);
    },
  });
  return {
    url: (replica) => cluster.url('petstore', replica),
    isShared: true,
    query: (...statements) => nodes[0]!.query('SET wsrep_sync_wait = 1', 'USE petstore', ...statements),
    faults: [
      ...clockFaults('node', clocks, chance),
      ...(network ? cuts(network, chance) : []),
      frozen('node', nodes, chance),
      killed('node', nodes, chance, (node) => cluster.restart(node)),
    ].map(whole),
    differing: async () => new Set(await cluster.digests('petstore')).size - 1,
    async stop() {
      await cluster.stop();
      network?.remove();
    },
  };
}

/** The links between three nodes. */
const LINKS = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

function cuts(network: PrivateNetwork, chance: Chance): Fault[] {
  const cut = (links: (readonly [number, number])[]) => {
    for (const [one, other] of links) network.cut(one, other);
    return () => links.forEach(([one, other]) => network.heal(one, other));
  };
  const linksOf = (node: number) => LINKS.filter((link) => link.some((end) => end === node));
  return [
    passing('node cut off', chance, () => cut(linksOf(chance.below(3)))),
    passing('link cut', chance, () => cut([chance.pick(LINKS)!])),
    passing('all nodes cut off', chance, () => cut([...LINKS])),
  ];
}

/** Sets a clock fast or slow; it stays wrong until the next such fault. */
export function clockFaults(whose: string, clocks: readonly MovedClock[], chance: Chance): Fault[] {
  if (clocks.length === 0) return [];
  const happen = () => {
    chance.pick(clocks)!.move(chance.below(2 * WRONG_BY) - WRONG_BY);
    return Promise.resolve();
  };
  return [{ name: `clock of a ${whose} moved`, happen }];
}
