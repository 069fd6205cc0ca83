import { serverArguments } from './server-arguments.js';

export const GALERA_PROVIDER = '/usr/lib/galera/libgalera_smm.so';

/** The address of a node, and its ports for clients, group communication, full (SST) and incremental (IST) state transfers. */
export interface GaleraPorts {
  readonly host: string;
  readonly sql: number;
  readonly group: number;
  readonly sst: number;
  readonly ist: number;
}

/** Timeouts until an unresponsive node is excluded: shorter than the defaults, so that tests take seconds. */
const PATIENCE =
  'evs.keepalive_period=PT0.2S;evs.inactive_check_period=PT0.1S;' +
  'evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S;evs.install_timeout=PT3S';

/** The arguments that make a MariaDB server a node of a cluster of these members. */
export function galeraArguments(
  folder: string,
  { host, sql, group, sst, ist }: GaleraPorts,
  members: readonly GaleraPorts[],
): string[] {
  const addresses = members.map((member) => `${member.host}:${member.group}`).join(',');
  return [
    ...serverArguments(folder, sql),
    `--bind-address=${host}`,
    // No warnings about aborted connections: the tests open twenty a second until a node has caught up.
    '--log-warnings=1',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${GALERA_PROVIDER}`,
    `--wsrep-cluster-address=gcomm://${addresses}`,
    `--wsrep-node-address=${host}:${group}`,
    `--wsrep-node-incoming-address=${host}:${sql}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${host}:${sst}`,
    '--wsrep-provider-options=' +
      `gmcast.listen_addr=tcp://${host}:${group};ist.recv_addr=${host}:${ist};gcache.recover=yes;${PATIENCE}`,
  ];
}
