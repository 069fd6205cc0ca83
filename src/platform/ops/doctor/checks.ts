import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { JoiningDataSource } from '../../database/data-source.js';
import { Database } from '../../database/database.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { DatabaseUnavailable } from '../../database/errors.js';
import type { LeaseState } from '../../database/lease-rows.js';
import { Leases } from '../../database/leases.js';
import { Migrator } from '../../database/migrations/migrator.js';
import { SequenceSchema } from '../../database/sequence/sequences.js';

/** What was found, in one sentence, and what to do about it unless all is well. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly what: string;
  readonly remedy?: string;
}

export const ok = (what: string): Finding => ({ state: 'ok', what });
export const warning = (what: string, remedy: string): Finding => ({ state: 'warning', what, remedy });
export const problem = (what: string, remedy: string): Finding => ({ state: 'problem', what, remedy });

/** Something else that the doctor looks at. A module adds its own by listing the class among its providers. */
export abstract class DoctorCheck {
  abstract readonly name: string;
  abstract run(): Promise<Finding[]>;
}

/** Connects, but not to a file that does not exist, which would create it. @throws DatabaseUnusable */
export async function checkDatabase(app: INestApplicationContext): Promise<Finding[]> {
  const { database } = app.get(Settings);
  if (database.engine === 'sqlite' && database.file !== ':memory:' && !existsSync(database.file)) {
    const remedy = 'Create it by a start or by "petstore db migrate", or look at DATABASE_URL.';
    return [problem(`The file ${resolve(database.file)} does not exist.`, remedy)];
  }
  await app.get(Database).connect({ waitForServer: false });
  const source = app.get(JoiningDataSource);
  source.open();
  const found = await (database.engine === 'sqlite' ? checkFile(source) : checkServer(source));
  const deviation = await app.get(DatabaseClock).read();
  return deviation === undefined ? found : [...found, warning(deviation, 'Set both by NTP.')];
}

async function checkFile(source: JoiningDataSource): Promise<Finding[]> {
  const [file] = await source.query<{ version: string }[]>('SELECT sqlite_version() AS version');
  const [mode] = await source.query<{ journal_mode: string }[]>('PRAGMA journal_mode');
  const found = [ok(`SQLite ${file!.version} answers.`)];
  const remedy = 'Keep it on a disk of this machine, not on a network drive.';
  if (mode!.journal_mode === 'delete') found.push(problem('The file is not in WAL mode.', remedy));
  return found;
}

async function checkServer(source: JoiningDataSource): Promise<Finding[]> {
  const show = (what: string) =>
    source.query<{ Variable_name: string; Value: string }[]>(`SHOW SESSION ${what}`);
  const rows = [...(await show('VARIABLES')), ...(await show("STATUS LIKE 'wsrep%'"))];
  const server = Object.fromEntries(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
  return [ok(`MySQL ${server['version']} answers.`), ...evaluateServer(server)];
}

const READ_ONLY = /^(?:super_|tx_|transaction_|innodb_)?read_only$/;

/** What is wrong with variables and status of a server, as far as the service cannot set it for its own sessions. */
export function evaluateServer(server: Readonly<Record<string, string>>): Finding[] {
  const found: Finding[] = [];
  for (const [name, value] of Object.entries(server)) {
    if (!READ_ONLY.test(name) || value === 'OFF' || value === '0') continue;
    const remedy = 'Set it to OFF, or name the primary in DATABASE_URL.';
    found.push(problem(`${name} is ${value}: the server accepts no writes.`, remedy));
  }
  const isLogged = server['log_bin'] === 'ON';
  if (isLogged && server['binlog_format'] === 'STATEMENT')
    found.push(
      problem('binlog_format is STATEMENT: READ COMMITTED cannot write.', 'Set it to MIXED or ROW.'),
    );
  for (const name of ['innodb_flush_log_at_trx_commit', ...(isLogged ? ['sync_binlog'] : [])]) {
    const remedy = 'Set it to 1, or a crash of the machine loses acknowledged writes.';
    if (server[name] !== '1') found.push(warning(`${name} is ${server[name]}.`, remedy));
  }
  const isInCluster = server['wsrep_ready'] === 'ON' && server['wsrep_cluster_status'] === 'Primary';
  if (server['wsrep_on'] === 'ON' && !isInCluster) {
    const { wsrep_local_state_comment: state, wsrep_cluster_status: status } = server;
    const what = `This Galera node is ${state}, in a ${status} cluster.`;
    found.push(problem(what, 'Bring the node back to its cluster, or the cluster back to a majority.'));
  }
  return found;
}

/** Also when each lease was held last, by jobs, purges and migrations, and how that ended. */
export async function checkMigrations(app: INestApplicationContext): Promise<Finding[]> {
  const states = await app.get(Migrator).status();
  const missing = states.flatMap(({ name, applied }) => (applied ? [] : name));
  if (missing.length > 0)
    return [problem(`Migrations are missing: ${missing.join(', ')}.`, 'petstore db migrate')];
  return [ok('Every migration is applied.'), ...(await app.get(Leases).states()).map(findingOf)];
}

function findingOf({ name, holder, begunAt, endedAt, problem: failure }: LeaseState): Finding {
  const ended = endedAt ? `ended last at ${new Date(endedAt).toISOString()}` : 'has not ended yet';
  const what = `The lease "${name}" ${ended}${holder ? `, and is held since ${new Date(begunAt!).toISOString()}` : ''}`;
  if (!failure) return ok(`${what}.`);
  return warning(`${what}, by an error: ${failure}.`, 'See the log of the context "Leases".');
}

class RolledBack extends Error {}

/** Adds a row and rolls it back, without retries. */
export async function checkWrites(source: JoiningDataSource): Promise<Finding> {
  try {
    return await source.runOnce(async (manager) => {
      // Under a name of its own: replicas that start together must not wait for each other.
      await manager.insert(SequenceSchema, { name: `doctor ${randomUUID()}`, nextId: 1n });
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof RolledBack) return ok('The database accepts writes.');
    const known = error instanceof DatabaseUnavailable ? error.remedy : undefined;
    const remedy = known ?? 'See to the server, the grants of its user, the file and its disk.';
    return problem(`The database refuses a write: ${reasonOf(error)}.`, `${remedy} Reads may still work.`);
  }
}

export async function checkPort({ host, port }: Settings): Promise<Finding[]> {
  const at = `${host}:${port}`;
  const socket = connect(port, host);
  const isTaken = await once(socket, 'connect').then(Boolean, () => false);
  socket.destroy();
  if (!isTaken) return [ok(`${at} is free.`)];
  const livez = `http://${host.includes(':') ? `[${host}]` : host}:${port}/livez`;
  const answer = await fetch(livez, { signal: AbortSignal.timeout(1_000) })
    .then((response) => response.text())
    .catch(() => '');
  if (answer === '{"status":"alive"}') return [ok(`A service answers at ${at}.`)];
  return [problem(`${at} is in use by something else.`, 'Stop it, or set PORT.')];
}

/** The words of the database. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
