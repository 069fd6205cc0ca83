import type { Clock } from '../../../kernel/clock.js';
import { Check, type CheckResult, ok, problem, warning } from '../../doctor/check.js';
import type { DataSource } from 'typeorm';

/** Clock differences from which on the check warns, or reports a problem. */
const WARNING_MS = 1_000;
const PROBLEM_MS = 30_000;

/** Which database answers, and whether its clock and ours agree. */
export class ServerCheck extends Check {
  readonly name = 'database';
  readonly needs = 'database';

  constructor(
    private readonly source: DataSource,
    private readonly clock: Clock,
    private readonly engine: 'sqlite' | 'mysql',
  ) {
    super();
  }

  override async look(): Promise<CheckResult[]> {
    if (this.engine === 'sqlite') {
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

/** `ahead` is by how many ms the clock of the database is before ours. */
export function clockResult(ahead: number): CheckResult {
  const seconds = Math.abs(ahead / 1_000).toFixed(1);
  if (Math.abs(ahead) < WARNING_MS) return ok('Its clock and that of this machine agree.');
  const what = `Its clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`;
  const remedy = 'Let both keep time by NTP: keys and leases end by the clock of this machine.';
  return Math.abs(ahead) < PROBLEM_MS ? warning(what, remedy) : problem(what, remedy);
}
