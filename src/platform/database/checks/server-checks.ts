import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { Check, type CheckResult, ok, problem, warning } from '../../doctor/check.js';

/** The clock differences at which the check warns, or reports a problem. */
const WARNING_MS = 1_000;
const PROBLEM_MS = 30_000;

/** Which database answers, and whether its clock agrees with ours. */
@Injectable()
export class ServerCheck extends Check {
  readonly name = 'database';
  readonly needs = 'database';

  constructor(
    private readonly source: DataSource,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    if (this.source.options.type === 'better-sqlite3') {
      const [row] = await this.source.query<{ version: string }[]>('SELECT sqlite_version() AS version');
      return [ok(`SQLite ${row!.version} answers.`)];
    }
    const before = this.clock.now();
    const [row] = await this.source.query<{ version: string; now: string | number }[]>(
      'SELECT VERSION() AS version, UNIX_TIMESTAMP(NOW(3)) AS now',
    );
    const ours = (before + this.clock.now()) / 2;
    return [ok(`MySQL ${row!.version} answers.`), clockResult(Number(row!.now) * 1_000 - ours)];
  }
}

/** `ahead` is how many ms the database's clock is ahead of ours. */
export function clockResult(ahead: number): CheckResult {
  if (Math.abs(ahead) < WARNING_MS) return ok('Its clock and that of this machine agree.');
  const seconds = Math.abs(ahead / 1_000).toFixed(1);
  const what = `Its clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`;
  const remedy = 'Synchronize both by NTP: keys and leases end by the clock of this machine.';
  return Math.abs(ahead) < PROBLEM_MS ? warning(what, remedy) : problem(what, remedy);
}

/** The variables of MariaDB and MySQL that make a server read-only. */
const READ_ONLY = [
  'read_only',
  'super_read_only',
  'tx_read_only',
  'transaction_read_only',
  'innodb_read_only',
];

type Values = Readonly<Record<string, string | undefined>>;

/** Whether the settings of the database make commits durable and isolate transactions as the service needs. */
@Injectable()
export class SessionCheck extends Check {
  readonly name = 'settings';
  readonly needs = 'database';

  constructor(private readonly source: DataSource) {
    super();
  }

  override async run(): Promise<CheckResult[]> {
    const isSqlite = this.source.options.type === 'better-sqlite3';
    const found = isSqlite ? await this.#evaluateFile() : evaluateSettings(await this.#values());
    return found.length > 0 ? found : [ok('Session and durability settings are correct.')];
  }

  async #evaluateFile(): Promise<CheckResult[]> {
    const [mode] = await this.source.query<{ journal_mode: string }[]>('PRAGMA journal_mode');
    if (mode!.journal_mode !== 'delete') return [];
    return [
      problem('The file is not in WAL mode.', 'Keep it on a disk of this machine, not on a network drive.'),
    ];
  }

  async #values(): Promise<Values> {
    const show = (what: string) =>
      this.source.query<{ Variable_name: string; Value: string }[]>(`SHOW SESSION ${what}`);
    const rows = [...(await show('VARIABLES')), ...(await show("STATUS LIKE 'wsrep%'"))];
    return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name.toLowerCase(), Value]));
  }
}

/** What is wrong with the variables and the status of a server. The service sets the first two itself on each connection. */
export function evaluateSettings(server: Values): CheckResult[] {
  const found: CheckResult[] = [];
  const proxy =
    'A proxy between this machine and the server changes session settings: remove it, or configure it to keep them.';
  if (!server['sql_mode']?.includes('STRICT_ALL_TABLES')) {
    found.push(problem(`sql_mode is "${server['sql_mode']}", which is not strict.`, proxy));
  }
  const isolation = server['transaction_isolation'] ?? server['tx_isolation'];
  if (isolation !== 'READ-COMMITTED') found.push(problem(`The isolation is ${isolation}.`, proxy));

  for (const name of READ_ONLY) {
    if (server[name] === 'ON' || server[name] === '1') {
      found.push(
        problem(
          `${name} is on: the server accepts no writes.`,
          `SET GLOBAL ${name} = 0, or name the primary.`,
        ),
      );
    }
  }

  const durable = 'Set it to 1, or a crash of the machine loses acknowledged writes.';
  const flush = server['innodb_flush_log_at_trx_commit'];
  if (flush !== '1') found.push(warning(`innodb_flush_log_at_trx_commit is ${flush}.`, durable));
  const binlog = server['sync_binlog'];
  if (server['log_bin'] === 'ON' && binlog !== '1') found.push(warning(`sync_binlog is ${binlog}.`, durable));

  const isNodeReady = server['wsrep_ready'] === 'ON' && server['wsrep_cluster_status'] === 'Primary';
  if (server['wsrep_on'] === 'ON' && !isNodeReady) {
    const what = `This Galera node is ${server['wsrep_local_state_comment']}, in a ${server['wsrep_cluster_status']} cluster.`;
    found.push(problem(what, 'Bring the node back to its cluster, or the cluster back to a majority.'));
  }
  return found;
}
