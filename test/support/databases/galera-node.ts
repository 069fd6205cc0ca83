import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programPath } from '../processes/local-program.js';
import { LocalServer } from '../processes/local-server.js';
import { makeData } from './mariadb-data.js';
import { askServer, type SqlRow } from './database-server.js';
import { serverArguments } from './server-arguments.js';

const execute = promisify(execFile);

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

function galeraArguments(
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

/** Bounds the wait: a Galera node may remain a donor forever after a state transfer under load. */
const MAX_SYNC_MS = 120_000;

export class GaleraNode extends LocalServer {
  /** Whether it was launched and not killed since, so that it should run. */
  isLaunched = false;

  /** `before` is the command prefix that runs it on its own host: see `PrivateNetwork`. */
  constructor(
    readonly folder: string,
    readonly ports: GaleraPorts,
    private readonly members: readonly GaleraPorts[],
    before: readonly string[] = [],
  ) {
    super(programPath('mariadbd')!, before);
  }

  /** Creates its data. Under root they must belong to another user: the state transfer by rsync fails as root. */
  async install(): Promise<void> {
    await makeData(this.folder);
    if (isRoot) await execute('chown', ['-R', 'mysql', this.folder]);
  }

  /** Starts it, to join the others or as the first. Does not wait, but the first must run before others can join. */
  launch({ first = false, position = '' } = {}): void {
    const args = [
      ...this.#arguments(),
      ...(first ? ['--wsrep-new-cluster'] : []),
      ...(position ? [`--wsrep-start-position=${position}`] : []),
    ];
    this.run(args);
    this.isLaunched = true;
  }

  /** Its last stored position, `uuid:seqno`: without it, a node that was killed needs a full state transfer. */
  async position(): Promise<string> {
    const { stderr } = await execute(programPath('mariadbd')!, [...this.#arguments(), '--wsrep-recover']);
    const found = /Recovered position:? ([0-9a-f-]{36}:-?\d+)/.exec(stderr)?.[1];
    if (found === undefined) throw new Error(`No position was recovered:\n${stderr}`);
    return found;
  }

  /** Allows it to bootstrap a cluster although it was not the last node to leave the previous one. */
  async mayBegin(): Promise<void> {
    const file = join(this.folder, 'data/grastate.dat');
    const state = await readFile(file, 'utf8');
    await writeFile(file, state.replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'));
  }

  /** Deletes its cache of changes, which it sends to nodes that come back. A node that was killed may have damaged it. */
  async deleteCache(): Promise<void> {
    await rm(join(this.folder, 'data/galera.cache'), { force: true });
  }

  query(...statements: string[]): Promise<SqlRow[]> {
    return askServer(join(this.folder, 'socket'), statements);
  }

  /** Waits until it is synced in a cluster of `size` nodes. @throws Error with its log, if it has ended or after two minutes */
  async synced(size: number): Promise<void> {
    const begunAt = performance.now();
    while (!(await this.#isSynced(size))) {
      if (this.hasEnded) throw new Error(`A node has ended:\n${this.output}`);
      if (performance.now() - begunAt > MAX_SYNC_MS)
        throw new Error(`A node has not caught up:\n${this.output}`);
      await sleep(50);
    }
  }

  /**
   * Whether it exited by itself, or left the cluster for good. Galera leaves if it cannot read an incremental state transfer. The
   * process then continues outside the cluster, and only its log asks for a restart.
   */
  get hasEnded(): boolean {
    return this.isLaunched && (!this.isRunning || this.output.includes('node restart required'));
  }

  override kill(signal?: NodeJS.Signals): Promise<void> {
    this.isLaunched = false;
    return super.kill(signal);
  }

  async #isSynced(size: number): Promise<boolean> {
    const status = "SHOW STATUS WHERE Variable_name IN ('wsrep_local_state_comment', 'wsrep_cluster_size')";
    const rows = await this.query(status).catch(() => []);
    const values = rows.map((row) => row['Value']);
    return values.includes('Synced') && values.includes(String(size));
  }

  #arguments(): string[] {
    return [...galeraArguments(this.folder, this.ports, this.members), ...asUser()];
  }
}

const isRoot = process.getuid?.() === 0;
const asUser = () => (isRoot ? ['--user=mysql'] : []);
