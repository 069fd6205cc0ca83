import { mariaDbArguments } from './mariadb-arguments.js';

export const GALERA_PROVIDER = '/usr/lib/galera/libgalera_smm.so';

/** Where a node is reached: by clients, by the others, and for the transfers of all its data or of what it missed. */
export interface GaleraPorts {
  readonly sql: number;
  readonly group: number;
  readonly sst: number;
  readonly ist: number;
}

/** How fast a node that does not answer is given up: faster than by default, so that tests take seconds. */
const PATIENCE =
  'evs.keepalive_period=PT0.2S;evs.inactive_check_period=PT0.1S;' +
  'evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S;evs.install_timeout=PT3S';

/** What makes a MariaDB a node of a cluster of these members. */
export function galeraArguments(
  folder: string,
  { sql, group, sst, ist }: GaleraPorts,
  members: readonly GaleraPorts[],
): string[] {
  const addresses = members.map((member) => `127.0.0.1:${member.group}`).join(',');
  return [
    ...mariaDbArguments(folder, sql),
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${GALERA_PROVIDER}`,
    `--wsrep-cluster-address=gcomm://${addresses}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-node-incoming-address=127.0.0.1:${sql}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${sst}`,
    '--wsrep-provider-options=' +
      `gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${ist};gcache.recover=yes;${PATIENCE}`,
  ];
}
