import { Check, type CheckResult, ok, problem, warning } from '../../doctor/check.js';
import type { DataSource } from 'typeorm';

type Variables = Readonly<Record<string, string | undefined>>;

/** What a database promises, as far as its settings tell: what is stored stays, and transactions see what they should. */
export class SessionCheck extends Check {
  readonly name = 'settings';
  readonly needs = 'database';

  constructor(
    private readonly source: DataSource,
    private readonly engine: 'sqlite' | 'mysql',
  ) {
    super();
  }

  override async look(): Promise<CheckResult[]> {
    const found =
      this.engine === 'sqlite' ? await this.#lookAtFile() : evaluateSettings(await this.#variables());
    return found.length > 0 ? found : [ok('Sessions and durability are set as they should be.')];
  }

  async #lookAtFile(): Promise<CheckResult[]> {
    const [mode] = await this.source.query<{ journal_mode: string }[]>('PRAGMA journal_mode');
    if (mode!.journal_mode !== 'delete') return [];
    return [
      problem('The file is not in WAL mode.', 'Keep it on a disk of this machine, not on a network drive.'),
    ];
  }

  async #variables(): Promise<Variables> {
    const ask = async (what: 'VARIABLES' | 'STATUS', names: string[]) =>
      this.source.query<{ Variable_name: string; Value: string }[]>(
        `SHOW SESSION ${what} WHERE Variable_name IN (${names.map(() => '?').join(', ')})`,
        names,
      );
    const rows = [...(await ask('VARIABLES', SETTINGS)), ...(await ask('STATUS', STATES))];
    return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name.toLowerCase(), Value]));
  }
}

const SETTINGS = [
  'sql_mode',
  'transaction_isolation',
  'tx_isolation',
  'innodb_flush_log_at_trx_commit',
  'log_bin',
  'sync_binlog',
  'wsrep_on',
];
const STATES = ['wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state_comment'];

/** What is wrong with the settings and states of a server. The service sets the first two itself, on each connection. */
export function evaluateSettings(server: Variables): CheckResult[] {
  const found: CheckResult[] = [];
  const proxy =
    'Something between here and the server changes sessions: take it out, or set it to keep them.';
  if (!server['sql_mode']?.includes('STRICT_ALL_TABLES')) {
    found.push(problem(`sql_mode is "${server['sql_mode']}", which is not strict.`, proxy));
  }
  const isolation = server['transaction_isolation'] ?? server['tx_isolation'];
  if (isolation !== 'READ-COMMITTED') found.push(problem(`The isolation is ${isolation}.`, proxy));

  const lasting = 'Set it to 1, or a crash of the machine loses what was acknowledged.';
  const flush = server['innodb_flush_log_at_trx_commit'];
  if (flush !== '1') found.push(warning(`innodb_flush_log_at_trx_commit is ${flush}.`, lasting));
  const binlog = server['sync_binlog'];
  if (server['log_bin'] === 'ON' && binlog !== '1') found.push(warning(`sync_binlog is ${binlog}.`, lasting));

  if (server['wsrep_on'] === 'ON') found.push(...evaluateNode(server));
  return found;
}

function evaluateNode(server: Variables): CheckResult[] {
  if (server['wsrep_ready'] === 'ON' && server['wsrep_cluster_status'] === 'Primary') return [];
  const what = `This Galera node is ${server['wsrep_local_state_comment']}, in a ${server['wsrep_cluster_status']} cluster.`;
  return [problem(what, 'Bring the node back to its cluster, or the cluster back to a majority.')];
}
